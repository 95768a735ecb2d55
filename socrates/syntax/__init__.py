"""From text to trees of ``ast``: one grammar on every Python, two parsers, the same trees.

``parsers`` holds the two and the choice between them, ``convert`` turns trees of libcst into those
of ``ast``. ``nodes`` are the types that the running Python may lack; ``unparse`` and ``compiling``
know them, too. ``lexer`` reads tokens where no tree is needed: ``comments`` for suppressions,
``nesting`` for texts that are too deep to be parsed. No file is read here; nothing knows a rule.
"""

AUTO = "auto"
LIBCST = "libcst"
PYTHON = "python"
PARSERS = (AUTO, LIBCST, PYTHON)
