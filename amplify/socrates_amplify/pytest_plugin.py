"""``pytest --amplify``. Does nothing at all unless it is asked for."""
