"""Inside the test process: turns what probes observe into a trace that is comparable between runs.

No module here knows a framework; probes hand over messages, actors and replies.
"""
