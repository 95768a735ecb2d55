"""Fails when it is imported."""

TABLE = {}["missing at import"]
