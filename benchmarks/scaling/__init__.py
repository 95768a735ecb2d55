"""Parts of ``benchmarks/scale.py``: searches on simulated workers and on a Ray cluster."""
