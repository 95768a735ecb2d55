"""The applications of table 1 of Meiklejohn et al. (2021), rebuilt in memory from their behaviour.

Each is a tree of simulated services: who calls whom, what is retried, what has a fallback, and with
which status a service answers when one of its own calls fails. ``statuses`` are the errors that
the published static analysis finds in a service: what it raises, and 500, which any may answer.
The functional test calls the first service; that call is never faulted.
"""

from __future__ import annotations

from collections.abc import Callable

from socrates_amplify.simulation.services import (
    OK,
    CallFailedError,
    Handler,
    Network,
    Services,
    leaf,
)

PLAIN = ("404", "500")
"""What a service answers that looks things up and calls nobody."""


class AnsweredError(Exception):
    """Ends a handler with this status."""

    def __init__(self, status: int) -> None:
        super().__init__(status)
        self.status = status


def answering(handler: Callable[[Network], None]) -> Handler:
    """A handler that answers 200, unless it raises another answer."""

    def answer(network: Network) -> int:
        try:
            handler(network)
        except AnsweredError as other:
            return other.status
        return OK

    return answer


def status_of(network: Network, service: str, path: str = "/", timeout: bool = True) -> int | None:
    """The status, or None when there is no answer."""
    try:
        return network.call(service, path, timeout)
    except CallFailedError:
        return None


def need(
    network: Network,
    service: str,
    path: str = "/",
    passed_on: tuple[int, ...] = (),
    otherwise: int = 503,
    unanswered: int = 503,
) -> None:
    """Call a service that there is no way around; some statuses are passed on as they are."""
    status = status_of(network, service, path)
    if status is None:
        raise AnsweredError(unanswered)
    if status != OK:
        raise AnsweredError(status if status in passed_on else otherwise)


def attempt(network: Network, service: str, path: str = "/", timeout: bool = True) -> bool:
    """Call a service that may fail; whether it answered with 200."""
    return status_of(network, service, path, timeout) == OK


def retried(network: Network, service: str) -> None:
    """Call a service, and once more when the first answer is none or not 200."""
    status = status_of(network, service)
    if status != OK:
        status = status_of(network, service)
    if status != OK:
        raise AnsweredError(404 if status == 404 else 503)


def application(
    entry: Handler, statuses: dict[str, tuple[str, ...]], **handlers: Handler
) -> Services:
    """The services, and a test that accepts any answer: what counts here is what is generated."""
    services = dict.fromkeys(statuses, leaf) | {"entry": entry} | handlers
    return Services(
        services, lambda network: network.check(network.call("entry") >= OK, ""), statuses
    )


# Cinema: users, their bookings, and the movies that they booked.


@answering
def bookings_with_movies(network: Network) -> None:
    need(network, "movies")


@answering
def users_of_both(network: Network) -> None:
    need(network, "bookings", passed_on=(404,))
    need(network, "movies")


@answering
def users_of_bookings(network: Network) -> None:
    need(network, "bookings", passed_on=(404,))


@answering
def users_retrying(network: Network) -> None:
    retried(network, "bookings")


@answering
def users_and_imdb(network: Network) -> None:
    attempt(network, "imdb", timeout=False)
    need(network, "bookings", passed_on=(404,))


@answering
def bookings_and_fandango(network: Network) -> None:
    attempt(network, "fandango", timeout=False)
    need(network, "movies")


@answering
def movies_and_tomatoes(network: Network) -> None:
    attempt(network, "tomatoes", timeout=False)


@answering
def users_with_defaults(network: Network) -> None:
    attempt(network, "bookings")
    attempt(network, "movies")


@answering
def users_with_replica(network: Network) -> None:
    if not attempt(network, "bookings"):
        need(network, "replica", passed_on=(404,))
    need(network, "movies")


@answering
def users_checking_health(network: Network) -> None:
    alive = status_of(network, "bookings", "/health-check") is not None
    need(network, "bookings" if alive else "replica", "/bookings", passed_on=(404,))
    need(network, "movies")


@answering
def api_server(network: Network) -> None:
    retried(network, "monolith")


# Audible: find the content, check ownership and licence, count, then fetch two assets.


@answering
def audible_app(network: Network) -> None:
    need(network, "delivery-engine", passed_on=(404,))
    need(network, "delivery-service", passed_on=(404, 403))


@answering
def delivery_service(network: Network) -> None:
    need(network, "download-service", passed_on=(404, 403, 503), otherwise=500)
    need(network, "asset-metadata", passed_on=(404, 403), otherwise=500)
    need(network, "audio-assets", passed_on=(404, 403), otherwise=500)


@answering
def download_service(network: Network) -> None:
    need(network, "ownership", passed_on=(404, 403), otherwise=500)
    need(network, "activation", passed_on=(404,), otherwise=500)
    attempt(network, "stats")


# Expedia: reviews by relevance, by time when there are none.


@answering
def expedia_gateway(network: Network) -> None:
    status = status_of(network, "review-ml")
    if status == 404:
        raise AnsweredError(404)
    if status != OK:
        need(network, "review-time", passed_on=(404,))


# Mailchimp: map a URL, read and write a database, or its replica.


@answering
def load_balancer(network: Network) -> None:
    if status_of(network, "app-server") is None:
        raise AnsweredError(503)


@answering
def app_server(network: Network) -> None:
    need(network, "requestmapper", otherwise=500, unanswered=500)
    if not read_and_write(network, "primary"):
        need(network, "secondary", "/read", otherwise=500, unanswered=500)
        if status_of(network, "secondary", "/write") is None:
            raise AnsweredError(500)


def read_and_write(network: Network, database: str) -> bool:
    """Whether the database could be read and was reached for the write."""
    read = status_of(network, database, "/read")
    if read is None:
        return False
    return status_of(network, database, "/write") is not None and read == OK


# Netflix: a home page of many parts, some with fallbacks.


def netflix_gateway(bugs: bool) -> Handler:
    """With ``bugs``, a list that can't be had is asked for once more at the same service."""

    @answering
    def gateway(network: Network) -> None:
        strict = {"passed_on": (404,), "otherwise": 500}
        need(network, "user-profile", **strict)
        trending = not attempt(network, "bookmarks")
        if trending:
            attempt(network, "telemetry")
            need(network, "trending", "/for-bookmarks", otherwise=500)
        if bugs and (status := status_of(network, "my-list")) is not None:
            if status != OK:
                raise AnsweredError(404 if status == 404 else 500)
        else:
            need(network, "my-list", "/again" if bugs else "/", **strict)
        recommended = attempt(network, "user-recommendations") or attempt(
            network, "global-recommendations"
        )
        if not recommended and not trending:
            need(network, "trending", "/for-recommendations", otherwise=500)
        need(network, "ratings", **strict)

    return gateway


@answering
def profile_with_telemetry(network: Network) -> None:
    attempt(network, "telemetry")


@answering
def netflix_client(network: Network) -> None:
    need(network, "gateway", passed_on=(404,))


CINEMA = {"bookings": PLAIN, "movies": PLAIN}
CALLING_BOOKINGS = {"bookings": ("404", "503", "500"), "movies": PLAIN}
REPLICATED = {"bookings": PLAIN, "replica": PLAIN, "movies": PLAIN}
AUDIBLE = {
    "delivery-engine": PLAIN,
    "delivery-service": ("404", "403", "503", "500"),
    "download-service": ("404", "403", "500", "503"),
    "ownership": ("404", "403", "500"),
    "activation": PLAIN,
    "stats": ("500",),
    "asset-metadata": ("404", "403", "500"),
    "audio-assets": ("404", "403", "500"),
}
MAILCHIMP = {
    "app-server": ("500",),
    "requestmapper": ("500",),
    "primary": ("403", "500"),
    "secondary": ("403", "500"),
}
NETFLIX = {
    "gateway": ("503", "500", "404"),
    "user-profile": PLAIN,
    "bookmarks": PLAIN,
    "telemetry": ("500",),
    "trending": ("500",),
    "my-list": PLAIN,
    "user-recommendations": PLAIN,
    "global-recommendations": ("500",),
    "ratings": PLAIN,
}

SYSTEMS = {
    "cinema-1": application(users_of_both, CINEMA),
    "cinema-2": application(users_of_bookings, CALLING_BOOKINGS, bookings=bookings_with_movies),
    "cinema-3": application(users_retrying, CALLING_BOOKINGS, bookings=bookings_with_movies),
    "cinema-4": application(
        users_and_imdb,
        CALLING_BOOKINGS,
        bookings=bookings_and_fandango,
        movies=movies_and_tomatoes,
    ),
    "cinema-5": application(users_with_defaults, CINEMA),
    "cinema-6": application(users_with_replica, REPLICATED),
    "cinema-7": application(users_checking_health, REPLICATED),
    "cinema-8": application(api_server, {"monolith": PLAIN}),
    "audible": application(
        audible_app,
        AUDIBLE,
        **{"delivery-service": delivery_service, "download-service": download_service},
    ),
    "expedia": application(expedia_gateway, {"review-ml": PLAIN, "review-time": PLAIN}),
    "mailchimp": application(load_balancer, MAILCHIMP, **{"app-server": app_server}),
    "netflix": application(netflix_client, NETFLIX, gateway=netflix_gateway(bugs=False)),
    "netflix with bugs": application(
        netflix_client,
        NETFLIX,
        gateway=netflix_gateway(bugs=True),
        **{"user-profile": profile_with_telemetry},
    ),
}

TABLE_1 = {
    "cinema-1": (9, 9),
    "cinema-2": (10, 9),
    "cinema-3": (91, 37),
    "cinema-4": (34, 21),
    "cinema-5": (25, 25),
    "cinema-6": (41, 41),
    "cinema-7": (45, 45),
    "cinema-8": (21, 21),
    "audible": (69, 31),
    "expedia": (17, 17),
    "mailchimp": (135, 134),
    "netflix": (1606, 1603),
    "netflix with bugs": (18653, 4670),
}
"""Executions as published: without and with dynamic reduction, the first passing one included."""
