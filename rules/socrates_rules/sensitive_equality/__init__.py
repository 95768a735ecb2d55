"""SOC106: an assertion compares an object through its text.

``rule`` decides, ``fix`` mends, ``examples*`` are the tests and the documentation.
"""
