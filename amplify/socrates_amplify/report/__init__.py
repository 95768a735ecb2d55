"""Results on paper: one module a format, each a pure function from a run's result to text."""

from __future__ import annotations

FORMATS = ("text", "json", "junit", "sarif")
