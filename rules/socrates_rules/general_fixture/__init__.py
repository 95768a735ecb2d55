"""SOC104: the fixture sets up more than the test uses.

``rule`` decides, ``fix`` mends, ``examples*`` are the tests and the documentation.
"""
