"""The amplifier: runs clean tests again under faults that a resilient system must not notice.

Data first (``events``, ``faults``, ``outcomes``), then the edges: ``probes`` hold on to
frameworks, ``executors`` run a test under a scenario, ``exploration`` decides what to ask next.

PYTEST_DONT_REWRITE: pytest rewrites the assertions of installed plugins, and warns of those that are
imported before it; ours are, so that nothing of a project comes first. Some projects make errors of
warnings.
"""
