"""Cannot be imported."""

def broken(:
