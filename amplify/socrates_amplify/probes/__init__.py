"""Probes: each records the messages of one framework, and applies faults to them.

The modules here are what all probes build on. Plugins add probes by the hook ``socrates_probes``.
"""
