"""SOC102: one test that exercises several methods of its unit.

``rule`` decides, ``fix`` mends, ``examples*`` are the tests and the documentation.
"""
