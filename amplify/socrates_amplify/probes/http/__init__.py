"""The probe for remote calls: HTTP clients, the services they reach, and what those can answer."""
