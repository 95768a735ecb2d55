"""The page about a run: one module per part of it, ``html`` puts them together."""
