"""The amplifier: runs clean tests again under faults that a resilient system must not notice.

Data first (``events``, ``faults``, ``outcomes``), then the edges: ``probes`` hold on to
frameworks, ``executors`` run a test under a scenario, ``exploration`` decides what to ask next.
"""
