"""What a user can tell the amplifier: ``[tool.socrates.amplify]``, its sub-tables, and the flags.

``amplify`` declares every setting, one row each; ``table`` reads them from a settings file and
``flags`` from the command line. ``circumstances`` reads the sub-table of that name; those of
probes are read by the probes.
"""
