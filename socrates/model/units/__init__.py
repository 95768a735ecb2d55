"""The unit under test: what production code a test is about, which of its calls count, and in which phase."""
