"""The probe for Pykka: which messages actors send, and how faults are applied to them."""
