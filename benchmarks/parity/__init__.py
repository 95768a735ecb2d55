"""Two parsers, one tree: random programs, and how trees are compared.

Used by ``benchmarks/parser_parity.py`` and by the tests of ``socrates.syntax``.
"""
