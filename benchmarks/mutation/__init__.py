"""Parts of ``benchmarks/mutants.py``: how code is changed, and which tests could notice.

``operators`` makes changes, ``scratch`` is a copy of the project with an environment of its own,
``tracing`` runs in every process of that copy and marks the blocks of code that are executed,
``marks`` is the pytest plugin that reads the marks test by test, ``reach`` keeps what was read,
``forks`` is the one that tries many changes in one process.
"""
