"""A web shop: a storefront in front of a catalogue, customers' reviews, and a carrier."""
