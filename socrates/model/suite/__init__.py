"""The test suite: test cases, fixtures, helpers, assertions, and the unit under test."""
