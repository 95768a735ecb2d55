"""The subcommands: one module each, from parsed arguments to an exit code."""
