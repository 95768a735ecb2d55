import requests
def price():
    try:
        return requests.get("http://prices/7", timeout=1).json()["price"]
    except (requests.RequestException, KeyError, ValueError):
        return None
