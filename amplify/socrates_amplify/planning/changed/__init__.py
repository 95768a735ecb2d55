"""What has changed in a project, and which tests that concerns: for ``--since``."""
