"""Processes that a test starts or forks: the private channel between them and the test.

The channel carries requests of any kind; the probe of calls and each queue's probe have an endpoint.
"""
