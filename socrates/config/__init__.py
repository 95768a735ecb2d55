"""Settings: what they are (``settings``), and how they come from files and flags (``load``)."""
