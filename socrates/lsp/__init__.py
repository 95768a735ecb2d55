"""The language server: what ``socrates check`` finds, shown while a test is being written.

``server`` is the only module that talks to a client; ``streams`` guards the pipe to it.
``checker`` answers questions about one text and runs in one thread (``worker``), asked by
``schedule`` so that typing never queues work. ``positions``, ``drift``, ``diagnostics`` and
``actions`` are pure. What a smell is, and how it is fixed, lives elsewhere.
"""
