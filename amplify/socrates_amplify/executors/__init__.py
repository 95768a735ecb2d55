"""Executors: each runs one test under one scenario in a process of its own.

``fork`` and ``subprocess`` are the executors; ``execution`` is what happens inside the process
that runs the test. Nothing here decides what to run next.
"""
