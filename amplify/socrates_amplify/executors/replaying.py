"""Where ``socrates replay`` and the pytest process that it starts leave messages for each other."""

VARIABLE = "SOCRATES_REPLAY"
"""Names the folder with ``request.json``. Beside it STARTED is written, then OUTCOME."""
STARTED, OUTCOME = "started", "outcome.json"
