"""Python source as data: files, modules, names, and what expressions evaluate to.

Nothing here knows what a test is.
"""
