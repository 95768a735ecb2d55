"""Executions on a Ray cluster: a warm executor per node."""
