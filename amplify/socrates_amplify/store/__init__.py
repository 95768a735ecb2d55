"""Everything that outlives a run: outcomes and traces in SQLite, scenario files, fingerprints."""
