"""Each module of this package fails at another moment."""
