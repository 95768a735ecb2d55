"""The rules: one file a smell."""
