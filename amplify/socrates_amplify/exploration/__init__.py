"""Decides what to ask next: explorers, pruners, prioritisers, and the gateway they ask through.

Nothing in here runs a test or knows a framework. An explorer sees a ``Problem`` (see
``socrates_amplify.model.search``), reads traces (``causality``, ``comparison``) and asks about
scenarios. ``registry`` finds all of them by name.
"""
