"""The two parsers, and which one is asked first."""
