"""What a service can answer, read off the source of its views."""
