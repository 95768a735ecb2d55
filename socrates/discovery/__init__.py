"""Which files hold tests: pytest's own configuration, git's ignore files, the walk over folders."""
