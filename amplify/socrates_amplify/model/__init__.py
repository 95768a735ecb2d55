"""The amplifier's data: events, faults, outcomes, results. Frozen, and free of side effects.

Nothing here imports another room of the amplifier; every other room imports this one.
"""
