"""Processes that a test starts or forks: the private channel between them and the test.

The channel does not know what is said through it; calls and queues each have an endpoint of their own.
"""
