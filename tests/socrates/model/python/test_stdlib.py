"""Methods of the standard library's classes, read from its sources."""

from __future__ import annotations

import pytest

from socrates.model.python.stdlib import method_names


@pytest.mark.parametrize(
    ("dotted", "method"),
    [
        pytest.param("socketserver.TCPServer", "server_bind", id="its own"),
        pytest.param("socketserver.TCPServer", "serve_forever", id="of its base"),
        pytest.param("http.server.HTTPServer", "serve_forever", id="of a base in another module"),
        pytest.param("configparser.ConfigParser", "popitem", id="of a base under an import"),
        pytest.param("string.Formatter", "vformat", id="without bases"),
        pytest.param("http.client.HTTPException", "with_traceback", id="of a builtin base"),
        pytest.param("code.InteractiveInterpreter", "runcode", id="not imported by anybody"),
    ],
)
def test_method_is_found(dotted: str, method: str) -> None:
    assert method in (method_names(dotted) or ())


def test_attribute_of_a_builtin_base_is_no_method() -> None:
    assert "args" not in (method_names("http.client.HTTPException") or {"args"})


@pytest.mark.parametrize(
    "dotted",
    [
        pytest.param("nowhere.Thing", id="not of the standard library"),
        pytest.param("socketserver.Nothing", id="no such class"),
        pytest.param("itertools.chain", id="without sources"),
        pytest.param("", id="no name"),
    ],
)
def test_sources_do_not_tell(dotted: str) -> None:
    assert method_names(dotted) is None
