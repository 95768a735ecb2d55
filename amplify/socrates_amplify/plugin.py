"""What the amplifier adds to the ``socrates`` command. Cheap to import."""
