"""Parts of ``benchmarks/filibuster.py``: the applications of table 1, in memory, as services and the original ones."""
