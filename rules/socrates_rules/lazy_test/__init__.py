"""SOC103: several tests of one class or module that call the same method on the same fixture.

``rule`` decides, ``fix`` mends, ``examples*`` are the tests and the documentation.
"""
