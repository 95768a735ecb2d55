"""Which tests to search, in which order and for how long: what the traced pass tells."""
