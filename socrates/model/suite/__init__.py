"""The test suite: test cases, fixtures, helpers and assertions."""
