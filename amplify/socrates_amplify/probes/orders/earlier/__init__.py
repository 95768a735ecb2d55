"""What the project has made or imported before a controlled run began."""
