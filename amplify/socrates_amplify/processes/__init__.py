"""Processes that a test starts or forks: the private channel between them and the test.

Nothing here knows what is said through it; calls and queues each have a desk of their own.
"""
