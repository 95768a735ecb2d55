"""The carrier: what it costs to send a parcel."""

from __future__ import annotations

from flask import Flask


def make_app() -> Flask:
    """The service."""
    app = Flask("shipping")

    @app.get("/quotes/<int:grams>")
    def quote(grams: int) -> dict[str, object]:
        return {"price": 4.9 if grams < 1000 else 9.9}

    return app
