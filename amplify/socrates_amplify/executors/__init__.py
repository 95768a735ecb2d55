"""Executors: each runs one test under one scenario in a process of its own.

The modules here are what all executors build on. ``fork``, ``subprocess`` and ``ray`` have an executor
each, ``in_test`` is what happens inside the process that runs the test. Nothing here decides what to
run next; ``run.choose_executor`` decides which executor runs it.
"""
