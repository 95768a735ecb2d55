"""From a libcst tree to the nodes of ``ast``, with positions; one module per family of nodes.

What lives here knows no file and no setting. Every handler takes its tokens from the cursor in
the order of the text and gives the node that CPython's own parser would give.
"""
