"""The catalogue: what there is to buy."""

from __future__ import annotations

from flask import Flask, abort

_PRODUCTS = {
    "mug": {"title": "Mug", "grams": 350, "stars": 4.0},
    "pen": {"title": "Pen", "grams": 12, "stars": 3.5},
}


def make_app() -> Flask:
    """The service."""
    app = Flask("catalogue")

    @app.get("/products/<sku>")
    def product(sku: str) -> dict[str, object]:
        if sku not in _PRODUCTS:
            abort(404)
        return _PRODUCTS[sku]

    return app
