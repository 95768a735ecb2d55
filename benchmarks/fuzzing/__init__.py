"""Parts of ``benchmarks/fuzz.py``: what is mutated, how, and what each mutant is handed to."""
