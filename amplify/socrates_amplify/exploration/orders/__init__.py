"""The search for orders: which messages and operations to hold back, and until when."""
