"""Which lines faulted runs executed: collected in test processes, compared, merged."""
