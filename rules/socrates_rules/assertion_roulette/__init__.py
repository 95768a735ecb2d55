"""SOC101: several assertions, and a red run does not say which one failed, or why.

``rule`` decides, ``fix`` mends, ``examples*`` are the tests and the documentation.
"""
