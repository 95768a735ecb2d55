"""Order bugs that real projects had, rebuilt small, each beside its repair."""
