"""Code of the executors that runs inside the process that runs the test."""
