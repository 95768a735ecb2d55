"""What the fixes of several rules share: reading a test's file and rewriting functions in it.

Imported only when a fix is asked for, because it loads libcst. What counts as a smell is never
decided here.
"""
