"""Defects with one root cause, what is said of them, and which are told together."""
