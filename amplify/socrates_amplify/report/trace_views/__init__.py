"""The messages of one test: as a tree for people, as JSON for programs, as mermaid for documents.

One module per view with ``render(traced, context) -> str``; the rows stand in the table ``TRACES``
of ``socrates_amplify.report``.
"""
