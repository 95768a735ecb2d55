"""Which parts of a text are hidden, and which are not."""

from __future__ import annotations

import html
import json
from collections.abc import Callable
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from socrates_amplify.model.secrets import MASK, is_secret_name, without_secrets

CANARY = "hUnT3r2xQ9vLp7Zt"
"""Stands for a secret that no shape gives away: only its place does."""

JWT = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9P"

HIDDEN = {
    "value that was cut": "password = ...\\\\nQ9vLp7Zt",
    "value over two lines": f'password = "{CANARY[:8]}\\\n{CANARY[8:]}"',
    "value of two texts": f'password = "{CANARY[:8]}" "{CANARY[8:]}"',
    "part of a form with files": (
        f'--b\r\nContent-Disposition: form-data; name="password"\r\n\r\n{CANARY}\r\n--b--'
    ),
    "such a part in a repr": repr(
        f'--b\r\nContent-Disposition: form-data; name="pwd"\r\nContent-Type: a/b\r\n\r\n{CANARY}\r\n'
    ),
    "JSON in JSON": json.dumps(json.dumps({"password": CANARY})),
    "JSON in JSON in JSON": json.dumps(json.dumps(json.dumps({"password": CANARY}))),
    "JSON in a page": f"&quot;password&quot;: &quot;{CANARY}&quot;",
    "element of XML": f"<login><ns:password a='b'>{CANARY}</ns:password></login>",
    "block of YAML": f"password: |\n  {CANARY}\nuser: ann",
    "bytes in a dict": repr({b"password": CANARY.encode()}),
    "pair of a name and a value": repr([("password", CANARY), ("user", "ann")]),
    "option of a command": f"mysql --user ann --password {CANARY} shop",
    "answer to a challenge": f'Authorization: Digest username="ann", response="{CANARY}"',
    "user info of an address": f"http://ann:{CANARY}@db.example/x",
    "user info without a user": f"redis://:{CANARY}@cache:6379/0",
    "password in a form": f"user=ann&password={CANARY}&x=1",
    "password in JSON": f'{{"password": "{CANARY}", "x": 1}}',
    "password in a repr": f"login(name='ann', password='{CANARY}')",
    "password in a dict": f"{{'db_password': '{CANARY}'}}",
    "password with spaces around": f"password = {CANARY}",
    "passphrase": f"passphrase: {CANARY}",
    "pwd": f"pwd={CANARY}",
    "bearer token": f"Authorization: Bearer {CANARY}",
    "bearer token alone": f"sent Bearer {CANARY} to it",
    "basic authorization": "Authorization: Basic YW5uOmhVblQzcjJ4UTl2THA3WnQ=",
    "api key in a header": f"X-Api-Key: {CANARY}",
    "cookie": f"Set-Cookie: sid={CANARY}; Path=/",
    "session id": f"session_id={CANARY}",
    "signature of an address": f"https://s.example/f?sig={CANARY}&v=1",
    "signature of Amazon": f"https://b.example/k?X-Amz-Signature={CANARY}",
    "code of OAuth": f"https://a.example/cb?code={CANARY}&x=1",
    "client secret": f"client_secret={CANARY}",
    "refresh token": f'"refresh_token":"{CANARY}"',
    "key of Amazon": "found AKIAIOSFODNN7EXAMPLE here",
    "secret key of Amazon": "aws_secret_access_key=wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
    "token of GitHub": "ghp_16C7e42F292c6912E7710c838347Ae178B4a",
    "token of GitLab": "glpat-x1y2z3A4B5C6D7E8F9G0",
    "token of Slack": "xoxb-2444333222111-abcDEF123456",
    "hook of Slack": "https://hooks.slack.com/services/T024BE7LH/B024BE7LK/k9Jd83hFq0Zp1Lx7Vb2N",
    "key of Stripe": "sk_live_4eC39HqLyjWDarjtT1zdp7dc",
    "key of Google": "AIzaSyA1234567890abcdefghijklmnopqrstuvw",
    "web token": JWT,
    "private key": "-----BEGIN RSA PRIVATE KEY-----\nMIIEow\n-----END RSA PRIVATE KEY-----",
    "token in a path": "GET /bot/8f14e45fceea167a5a36dedd4bea2543/send",
    "random text in a path": "GET /v1/reset/Zx81kQp0mWv7Lr3TnB5s",
    "random text that was cut": "answered 'k9Jd83hFq0Z...' to it",
    "random text behind a cut": "answered 'the ...k9Jd83hFq0Z' to it",
    "password in an encoded address": f"GET /x?note=password%3D{CANARY}&v=1",
    "password in an address that is encoded twice": f"GET /x?next=%252Fy%253Fpassword%253D{CANARY}",
    "user info in an encoded address": f"to=http%3A%2F%2Fann%3A{CANARY}%40db.example%2F",
    "web token that was cut": "assert 'eyJhbGciOiJI...***' == ''",
    "token of Slack that was cut": "assert 'xoxb-2444333...-abcDEF123456' == ''",
    "random text in a body": 'answered "k9Jd83hFq0Zp1Lx7Vb2N" to it',
}
CANARIES = (CANARY, "8f14e45f", "Zx81kQp0", "k9Jd83hF", "16C7e42F", "AKIAIOSF", "4eC39HqL",
            "eyJhbGci", "MIIEow", "x1y2z3A4", "abcDEF12", "AIzaSyA1", "wJalrXUt", "YW5uOmhV")  # fmt: skip

SHOWN = [
    "(missing_token) Missing access token parameter.",
    "basic authentication failed",
    "GET /reviews/7",
    "CountIn(delivery_id=10, quantity=10)",
    "assert 65 == 55",
    "POST /orders code=404 exit code: 1",
    "connection to <port> refused after 3 tries",
    "tests/amplify/probes/queues/test_remote_worker_endpoints.py::test_it_works[a-b]",
    "module_name_that_is_long.ClassName.method_name_that_is_long_too",
    "HTTPConnectionPool(host='localhost', port=<port>): Max retries exceeded with url: /stock",
    "KeyError: 'customer_identification_number_2024'",
    "{'monkey': 'banana', 'author': 'Ann', 'keyboard': 'qwerty'}",
    "AbstractSingletonProxyFactoryBean2Configuration",
    "GET /search?q=caf%C3%A9%20au%20lait&page=2",
    "100% sure, 50%25 off",
    "assert [1, 2, 3, ...] == [0, 1, 2, ...]",
    "assert 'the quick b... lazy dog 42' == 'the quick b...lazy dog 43'",
    "waiting for test_orders_2024_are_counted...",
]


@pytest.mark.parametrize("text", HIDDEN.values(), ids=HIDDEN)
def test_a_secret_is_hidden(text: str) -> None:
    hidden = without_secrets(text)
    assert (MASK in hidden, [canary for canary in CANARIES if canary in hidden]) == (True, [])


WRAPPED: dict[str, Callable[[str], str]] = {
    "repr": repr,
    "repr of a repr": lambda text: repr(repr(text)),
    "repr of bytes": lambda text: repr(text.encode()),
    "JSON": json.dumps,
    "JSON in JSON": lambda text: json.dumps(json.dumps(text)),
    "page": html.escape,
    "repr in a page": lambda text: html.escape(repr(text)),
    "argument": lambda text: f"Keep(number=1, text={text!r})",
    "assertion": lambda text: f"assert {text!r} == ''",
    "parameter": lambda text: f"GET /x?note={quote(text, safe='')}",
    "quoted lines": lambda text: "> " + text.replace("\n", "\n> "),
    "difference": lambda text: "\n".join(f"  + {line}" for line in text.split("\n")),
    "difference in JSON": lambda text: json.dumps(
        "\n".join(f"    - {line}" for line in text.split("\n"))
    ),
    "one line": lambda text: " ".join(text.split()),
}


@pytest.mark.parametrize("wrap", WRAPPED.values(), ids=WRAPPED)
@pytest.mark.parametrize("text", HIDDEN.values(), ids=HIDDEN)
def test_a_secret_is_hidden_wherever_its_text_stands(text: str, wrap: Callable[[str], str]) -> None:
    hidden = without_secrets(wrap(text))
    assert [canary for canary in (*CANARIES, CANARY[:8], CANARY[8:]) if canary in hidden] == []


def test_a_name_in_wide_letters_is_the_same_name() -> None:
    assert CANARY not in without_secrets(f"\uff50assword={CANARY}")


@pytest.mark.parametrize("text", SHOWN)
def test_an_ordinary_text_is_shown(text: str) -> None:
    assert without_secrets(text) == text


@pytest.mark.parametrize("text", HIDDEN.values(), ids=HIDDEN)
def test_hiding_again_changes_nothing(text: str) -> None:
    assert without_secrets(without_secrets(text)) == without_secrets(text)


@given(st.text())
def test_any_text_can_be_hidden_twice(text: str) -> None:
    assert without_secrets(without_secrets(text)) == without_secrets(text)


LONG = {
    "one word before a cut": "a" * 99_000 + "...",
    "words before a cut": "aB3-" * 24_000 + "...",
    "percent signs": "%3D" * 30_000,
    "percent signs between letters": "a%" * 49_000,
    "percent signs of percent signs": "%" + "25" * 45_000,
    "starts of web tokens": "eyJabcdefgh-" * 8_000,
    "names": "password=" * 11_000,
    "addresses": "://a:" * 19_000,
    "starts of keys": "-----BEGIN PRIVATE KEY-----" * 3_500,
    "schemes": "Bearer " * 14_000,
    "elements": "<password>" * 10_000,
    "elements without end": "<password " * 10_000,
    "pairs": "('password', '" * 7_000,
    "options": "--password " * 9_000,
    "parts of forms": 'name="password"\n\n' * 5_000,
    "quotation marks": 'password="' + "\\" * 90_000,
    "texts in a row": "password=" + '"a" ' * 24_000,
}


@pytest.mark.timeout(30)
@pytest.mark.parametrize("text", LONG.values(), ids=LONG)
def test_a_long_text_takes_its_time_and_no_more(text: str) -> None:
    assert len(without_secrets(text)) <= len(text) + 100_000


def test_what_is_around_a_secret_stays() -> None:
    hidden = without_secrets(f"https://ann:{CANARY}@db.example/x?sig={CANARY}&v=1")
    assert hidden == "https://ann:***@db.example/x?sig=***&v=1"


def test_a_text_beyond_all_measure_is_cut_first() -> None:
    shown = without_secrets("a " * 60_000)
    assert (len(shown), shown.endswith("a ...")) == (100_003, True)


@pytest.mark.parametrize(
    ("name", "secret"),
    [
        ("password", True),
        ("db.password", True),
        ("X-Api-Key", True),
        ("client-secret", True),
        ("author", False),
    ],
)
def test_names_of_secrets(name: str, secret: bool) -> None:
    assert is_secret_name(name) is secret


@pytest.mark.parametrize(
    "name",
    "passwd db_password passphrase my_passphrases pwd client_secret secrets token csrf_tokens "
    "api_key x_apikeys access_key_id private_key ssh_private_keys account_key credentials "
    "signature x_signature_1 sig authorization proxy_authorization cookie set_cookies session_id "
    "phpsessionid jwt otp".split(),
)
def test_every_name_of_a_secret_hides_its_value(name: str) -> None:
    assert without_secrets(f"{name}='word'") == f"{name}={MASK}"


@pytest.mark.parametrize("name", "passage pwds tokyo apikes sigma jwts otpy session cook".split())
def test_names_that_are_nearly_those_of_secrets_hide_nothing(name: str) -> None:
    assert without_secrets(f"{name}='word'") == f"{name}='word'"
