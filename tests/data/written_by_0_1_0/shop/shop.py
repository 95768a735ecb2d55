"""A shop that asks a service: it takes a refused connection for prices, and gives up on stars."""

import requests

given_up = set()


def price_of(address, article):
    try:
        return requests.get(f"{address}/prices/{article}", timeout=2).json()["price"]
    except requests.ConnectionError:
        return None


def stars_of(address, article):
    if article in given_up:
        return None
    try:
        return requests.get(f"{address}/stars/{article}", timeout=2).json()["stars"]
    except (requests.RequestException, KeyError):
        given_up.add(article)
        return None
