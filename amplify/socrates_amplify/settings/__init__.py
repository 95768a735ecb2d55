"""What a user can tell the amplifier: ``[tool.socrates.amplify]``, its sub-tables, and the flags."""
