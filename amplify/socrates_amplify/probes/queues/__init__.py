"""The probes for task queues: Celery, dramatiq and RQ, and what the three have in common."""
