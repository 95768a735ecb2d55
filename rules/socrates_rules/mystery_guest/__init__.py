"""SOC105: the test depends on something outside it that no fixture of its own manages.

``rule`` decides, ``fix`` mends, ``examples*`` are the tests and the documentation.
"""
