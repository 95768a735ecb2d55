"""The storefront: what a visitor sees of a product, whatever is down behind it."""

from __future__ import annotations

from typing import Any

import requests

UNAVAILABLE = "Currently unavailable"
ASK_US = "ask us"


def fetch(url: str, attempts: int = 2) -> Any:
    """What a service says; a connection that breaks is tried once more."""
    for left in reversed(range(attempts)):
        try:
            return requests.get(url, timeout=2).json()
        except requests.ConnectionError:
            if not left:
                raise
    return None


class Storefront:
    """Composes pages from three services, given their addresses."""

    def __init__(self, catalogue: str, reviews: str, shipping: str) -> None:
        self._catalogue = catalogue
        self._reviews = reviews
        self._shipping = shipping

    def title(self, sku: str) -> str:
        """The name of a product, or that it can't be had right now."""
        try:
            title: str = fetch(f"{self._catalogue}/products/{sku}")["title"]
        except requests.RequestException:
            return UNAVAILABLE
        return title

    def stars(self, sku: str) -> float | None:
        """What customers think: as of now, else as the catalogue remembers it."""
        try:
            stars: float = fetch(f"{self._reviews}/reviews/{sku}")["stars"]
        except (requests.RequestException, KeyError):
            stars = fetch(f"{self._catalogue}/products/{sku}")["stars"]
        return stars

    def delivery(self, grams: int) -> str:
        """What it costs to have it sent."""
        try:
            quote = fetch(f"{self._shipping}/quotes/{grams}")
        except requests.RequestException:
            return ASK_US
        price: float = quote.get("price", 0)
        return f"{price:.2f}"
