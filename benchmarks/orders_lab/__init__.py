"""Parts of ``benchmarks/orders.py``: what is measured of each order bug, and what it is compared with."""
