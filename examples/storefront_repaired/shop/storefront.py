"""The storefront: what a visitor sees of a product, whatever is down behind it."""

from __future__ import annotations

from typing import Any

import requests

UNAVAILABLE = "Currently unavailable"
ASK_US = "ask us"


def fetch(url: str, attempts: int = 2) -> Any:
    """What a service says; an attempt that fails, in whatever way, is made once more."""
    for left in reversed(range(attempts)):
        try:
            response = requests.get(url, timeout=2)
            response.raise_for_status()
            return response.json()
        except requests.RequestException:
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
        """What customers think: as of now, else as the catalogue remembers it, else nothing."""
        for url in (f"{self._reviews}/reviews/{sku}", f"{self._catalogue}/products/{sku}"):
            try:
                stars: float | None = fetch(url)["stars"]
            except requests.RequestException:
                continue
            return stars
        return None

    def delivery(self, grams: int) -> str:
        """What it costs to have it sent."""
        try:
            price: float = fetch(f"{self._shipping}/quotes/{grams}")["price"]
        except requests.RequestException:
            return ASK_US
        return f"{price:.2f}"
