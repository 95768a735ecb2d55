"""What plugins add to the amplifier, collected through ``socrates.plugins`` with its isolation.

Guarantee: whatever a plugin does, the run goes on with the rest, and the user is told which plugin
failed, at which file and line.
"""
