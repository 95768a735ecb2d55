"""Probes: each knows one framework, records what its messages do, and applies faults to them.

A probe of another distribution comes in through the ``socrates_probes`` hook.
"""
