"""The map of a system: as text for people, as JSON for programs, as SVG and mermaid for documents.

One module per view with ``render(map, context) -> str``; the rows stand in the table ``MAPS`` of
``socrates_amplify.report``.
"""
