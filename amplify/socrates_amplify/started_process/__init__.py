"""In the Python processes that a test starts: how our hooks get in, and which are installed there."""
