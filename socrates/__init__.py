"""The linter: what a test is, what a finding is, and how files become findings.

Rules live in ``socrates_rules`` and the amplifier in ``socrates_amplify``; this package knows
neither by name and reaches both through the pluggy entry point group ``socrates``.
Importing it is cheap: nothing here loads libcst or astroid.

PYTEST_DONT_REWRITE: pytest rewrites the assertions of installed plugins, and warns of those that are
loaded before it. Processes of the amplifier load this package first.
"""

__version__ = "0.1.0"
