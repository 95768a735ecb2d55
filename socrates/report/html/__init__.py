"""``html``: one self-contained page, and the tables in it."""
