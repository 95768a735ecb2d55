"""Dataclasses that cost less than those of the standard library: at import, and to be made."""
