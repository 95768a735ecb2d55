"""Systems in memory for authors of explorers: actors, services and workers in virtual time."""
