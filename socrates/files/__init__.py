"""Files of a project that we don't trust: how they are read (``reading``) and written (``writing``).

Everything that the linter reads of a project or writes into it goes through here; a test of the
architecture enforces it. Nothing here knows what a file is for.
"""
