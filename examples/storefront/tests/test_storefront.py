"""What a visitor sees. When services behind the storefront are down, less, but never nonsense."""

from __future__ import annotations

from shop.storefront import ASK_US, UNAVAILABLE, Storefront

from socrates_amplify import faults


def test_title_is_shown(storefront: Storefront) -> None:
    title = storefront.title("mug")
    assert title == "Mug" or (faults.injected_on("catalogue") and title == UNAVAILABLE)


def test_stars_are_those_of_the_reviews(storefront: Storefront) -> None:
    stars = storefront.stars("mug")
    assert stars == 4.5 or (faults.injected_on("reviews") and stars in (4.0, None))


def test_delivery_has_its_price(storefront: Storefront) -> None:
    price = storefront.delivery(350)
    assert price == "4.90" or (faults.injected_on("shipping") and price == ASK_US)
