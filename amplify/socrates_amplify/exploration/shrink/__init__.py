"""From a failing scenario to a minimal one."""
