"""Parts of ``benchmarks/thesis.py``: generated systems, where they are run, what is measured, published numbers."""
