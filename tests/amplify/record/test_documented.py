"""Errors that a function documents for services that fail."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from socrates_amplify.record.documented import is_raised_again, promised


def sphinx() -> None:
    """Fetch.

    :param str url: where
    :raises shop.ShopError: on connection problems
    """


def google() -> None:
    """Fetch.

    Raises:
        ValueError: if the id is negative.
        ShopError: if the shop did not answer,
            or the request fails.
    """


def after_retries() -> None:
    """Fetch.

    Raises:
        ShopError: When retry limit is exceeded.
    """


def numpy() -> None:
    """Fetch.

    Raises
    ------
    ShopError
        On a network error.
    """


def other() -> None:
    """Fetch.

    Raises:
        ShopError: if there is no such product.
    """


def answered() -> None:
    """Fetch.

    Raises:
        ShopError: if the server failed to perform the request.
    """


def kept() -> None:
    """Fetch.

    Raises:
        ConnectionError: if the service is unreachable.
        ShopError: on a timeout.
    """


def old_names() -> None:
    """Fetch.

    Raises
    ------
    ShopError
        if no connection can be made in time
    IOError
        if some other error occurs
    """


def listed() -> None:
    """Fetch.

    Raises:
        - ShopError if there is an issue communicating with the shop
    """


def of_a_status() -> None:
    """Fetch.

    Raises:
        ShopStatusError: if the request fails.
    """


def in_other_words() -> None:
    """Fetch.

    Raises:
        ShopError: if the call is not successful.
    """


def with_its_purpose() -> None:
    """Fetch.

    Raises:
        ShopError: If the request to clone the shop's catalogue fails
    """


def without_an_answer() -> None:
    """Fetch.

    Raises:
        ShopError: If we fail to get a valid response from the shop at all
    """


def out_of_reach() -> None:
    """Fetch.

    Raises:
        ShopError: If the shop cannot be reached.
    """


def quoted() -> None:
    """Fetch.

    Raises
    ------
    `ValueError`
        If there is no address.
    `ShopError`
        If the shop can't be reached.

    Notes
    -----
    See
    https://shop.example/connect-data
    """


def without_indentation() -> None:
    """Fetch.

    Raises:
    - ShopError: if the connection fails
    """


def in_the_singular() -> None:
    """Fetch.

    Raise:
        ShopError: If a failure occurs during the connection to the shop.
    """


def of_any_error() -> None:
    """Fetch.

    Raises
    ------
    ShopError
        Any errors that occurred while making the request
    """


def of_whatever() -> None:
    """Fetch.

    Raises:
        ShopError: If a failure occurs.
    """


def of_all_services() -> None:
    """Fetch.

    Raises:
        ShopError: If all API services fail.
    """


def of_an_exchange() -> None:
    """Fetch.

    Raises:
        ShopError: If token exchange fails
    """


def of_a_network_that_is_none() -> None:
    """Fetch.

    Raises:
        ShopError: when network does not exist
    """


def of_a_name() -> None:
    """Fetch.

    Raises:
        ValueError: If no storage connection is found.
    """


def of_a_callback() -> None:
    """Fetch.

    Raises:
        ShopError: If callback handling fails
    """


def any_exception() -> None:
    """Fetch.

    Raises:
        Exception: If the request fails.
    """


def with_notes() -> None:
    """Fetch.

    Raises
    ------
    `ShopError`
        If the order was declined.

    Notes
    -----
    About how to connect to the shop:
    https://shop.example/connect-data
    """


def with_another_section() -> None:
    """Fetch.

    Raises:
        ShopError: if the order was declined.

    Returns:
        What the connection gives.
    """


def of_a_limit() -> None:
    """Fetch.

    Raises:
        ShopError: If no response body was given, or the limit is reached.
    """


def waits() -> None:
    """Wait.

    Raises
    ------
    ShopError
        If a timeout was specified and the order is still processing.
    """


def late() -> None:
    """Fetch.

    :raises ShopError: if the server times out
    """


def silent() -> None:
    raise OSError


@pytest.mark.parametrize(
    "function",
    [
        sphinx,
        google,
        numpy,
        listed,
        in_other_words,
        with_its_purpose,
        after_retries,
        without_an_answer,
        out_of_reach,
        quoted,
        without_indentation,
        in_the_singular,
        of_any_error,
        of_whatever,
        of_all_services,
        of_an_exchange,
    ],
)
def test_an_error_for_outages_is_a_promise(function: Callable[[], None]) -> None:
    expected = (f"{function.__name__} documents ShopError",)
    assert promised([function.__code__], ConnectionRefusedError) == expected


@pytest.mark.parametrize(
    "function",
    [
        other,
        answered,
        kept,
        old_names,
        of_a_status,
        of_a_limit,
        of_a_network_that_is_none,
        of_a_name,
        of_a_callback,
        any_exception,
        with_notes,
        with_another_section,
        silent,
    ],
)
def test_another_error_or_the_same_one_is_none(function: Callable[[], None]) -> None:
    assert promised([function.__code__], ConnectionRefusedError) == ()


@pytest.mark.parametrize(
    ("function", "error", "expected"),
    [
        (late, TimeoutError, ("late documents ShopError",)),
        (late, ConnectionRefusedError, ()),
        (waits, TimeoutError, ()),
    ],
)
def test_an_error_for_late_answers_is_a_promise_about_those_alone(
    function: Callable[[], None], error: type[Exception], expected: tuple[str, ...]
) -> None:
    assert promised([function.__code__], error) == expected


def answers() -> None:
    """Fetch.

    Raises:
        ShopError: Raised on general HTTP error.
    """


class HTTPError(Exception):
    """As clients call what they raise for a status."""


def answers_with_an_error() -> None:
    """Fetch.

    Raises:
        ShopError: when the service returns an error
    """


@pytest.mark.parametrize("function", [answers, answers_with_an_error])
def test_an_error_for_http_errors_is_a_promise_about_answers_alone(
    function: Callable[[], None],
) -> None:
    promise = f"{function.__name__} documents ShopError"
    assert promised([function.__code__], HTTPError) == (promise,)
    assert promised([function.__code__], ConnectionRefusedError) == ()


def lets_through_by_name(call: Callable[[], None]) -> None:
    try:
        call()
    except (ValueError, TimeoutError):
        raise
    except OSError as error:
        raise RuntimeError from error


@pytest.mark.parametrize(
    ("error", "expected"),
    [
        pytest.param(TimeoutError, True, id="named"),
        pytest.param(UnicodeError, True, id="a base of it is"),
        pytest.param(ConnectionError, False, id="translated"),
        pytest.param(KeyError, False, id="not caught"),
    ],
)
def test_error_that_is_raised_again_by_name(error: type[Exception], expected: bool) -> None:
    line = lets_through_by_name.__code__.co_firstlineno + 2
    assert is_raised_again(__file__, line, error) is expected
