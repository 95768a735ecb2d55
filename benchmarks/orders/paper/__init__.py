"""Listing 1 of Bita (Tasharofi et al. 2013) and its three small subjects, each with a repaired twin."""
