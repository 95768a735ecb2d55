"""For all tests."""

from __future__ import annotations

from hypothesis import settings

# A busy machine is no defect, and the same commit must give the same answer twice.
settings.register_profile("steady", deadline=None, derandomize=True)
settings.load_profile("steady")
