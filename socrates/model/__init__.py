"""The project model: sources, modules, tests, fixtures, helpers, units, and what names mean.

Everything here reads ``ast`` trees lazily, one module at a time, and never imports the code that
it looks at. Rules see it through ``context.FileContext``.
"""
