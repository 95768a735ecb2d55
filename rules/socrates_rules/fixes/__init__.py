"""How the shipped rules mend what they find: one module a smell, each with a function ``fix``.

They are imported when a fix is asked for, because they load libcst. A rule stays readable
without them: what counts as a smell is never decided here.
"""
