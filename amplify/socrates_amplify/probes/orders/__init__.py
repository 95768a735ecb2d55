"""Runs a test with one thread at a time, in an order that a scenario can force."""
