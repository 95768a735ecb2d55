"""Executes what a search is likely to ask next, on workers that would otherwise be idle."""
