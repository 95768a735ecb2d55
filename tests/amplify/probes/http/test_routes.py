"""Which view answers a request, by its route: each view here answers with a number of its own."""

from __future__ import annotations

from pathlib import Path

import pytest

from socrates_amplify.probes.http.answers.routes import all_answers_of, answers_of, files_of

FLASK = """\
@app.route("/reviews")
def reviews(): abort(401)

@app.route("/reviews", methods=["post", "PUT"])
def add(): abort(402)

@app.get("/reviews/<int:pk>")
def one(pk): abort(403)

@app.get("/reviews/new")
def new(): abort(404)

@app.get("/files/<path:name>")
def file(name): abort(405)

@app.delete("/reviews/{pk}")
async def drop(pk): abort(406)

@app.view("/class")
class Page:
    def show(self): abort(407)

@other("/plain")
def plain(): abort(408)
"""
LISTED = """\
urlpatterns = [
    path("shop/<int:pk>/", views.detail),
    re_path(r"^old/(?P<year>[0-9]{4})/$", old),
    path("class/", Detail.as_view()),
    path("wrapped/", csrf_exempt(wrapped)),
    path("inner/", include(inner)),
    url("(", broken),
]
app.add_url_rule("/rule", "name", view_func=rule)
app.router.add_get("/added", added)
Route("/star", endpoint=star, methods=["POST"])
session.get("/single")

def detail(request, pk): abort(411)
def old(request): abort(412)
class Detail:
    def show(self): abort(413)
def wrapped(request): abort(414)
def inner(request): abort(415)
def broken(request): abort(416)
def rule(): abort(417)
def added(request): abort(418)
def star(request): abort(421)
"""
FLASK_ALL = tuple(range(401, 409))
LISTED_ALL = (411, 412, 413, 414, 415, 416, 417, 418, 421)


@pytest.mark.parametrize(
    ("method", "path", "answers"),
    [
        pytest.param("GET", "/reviews", (401,), id="route is GET"),
        pytest.param("POST", "/reviews", (402,), id="named method"),
        pytest.param("PUT", "/reviews", (402,), id="second method"),
        pytest.param("PATCH", "/reviews", FLASK_ALL, id="method of no view"),
        pytest.param("GET", "/reviews/17", (403,), id="place"),
        pytest.param("GET", "/reviews/17/", (403,), id="slash at the end"),
        pytest.param("GET", "/reviews/new", (404,), id="named part before a place"),
        pytest.param("GET", "/reviews/17/more", FLASK_ALL, id="longer than any"),
        pytest.param("GET", "/api/v1/reviews/17", (403,), id="mounted elsewhere"),
        pytest.param("GET", "/files/a/b.txt", (405,), id="rest of a path"),
        pytest.param("DELETE", "/reviews/17", (406,), id="place in braces"),
        pytest.param("GET", "/class", (407,), id="class"),
        pytest.param("GET", "/plain", FLASK_ALL, id="no route"),
    ],
)
def test_decorated_view(method: str, path: str, answers: tuple[int, ...], tmp_path: Path) -> None:
    source = tmp_path / "service.py"
    source.write_text(FLASK, "utf-8")
    assert answers_of(source, method, path) == answers


@pytest.mark.parametrize(
    ("method", "path", "answers"),
    [
        pytest.param("GET", "/shop/3/", (411,), id="path"),
        pytest.param("POST", "/shop/3/", (411,), id="any method"),
        pytest.param("GET", "/old/2020/", (412,), id="pattern"),
        pytest.param("GET", "/old/20/", LISTED_ALL, id="pattern that does not fit"),
        pytest.param("GET", "/class/", (413,), id="class"),
        pytest.param("GET", "/wrapped/", (414,), id="wrapped view"),
        pytest.param("GET", "/inner/", LISTED_ALL, id="included routes"),
        pytest.param("GET", "/rule", (417,), id="by keyword"),
        pytest.param("GET", "/added", (418,), id="added for a method"),
        pytest.param("POST", "/added", LISTED_ALL, id="added for another"),
        pytest.param("POST", "/star", (421,), id="with methods"),
        pytest.param("GET", "/star", LISTED_ALL, id="with other methods"),
        pytest.param("GET", "/single", LISTED_ALL, id="call without a view"),
    ],
)
def test_listed_view(method: str, path: str, answers: tuple[int, ...], tmp_path: Path) -> None:
    source = tmp_path / "service.py"
    source.write_text(LISTED, "utf-8")
    assert answers_of(source, method, path) == answers


def test_view_in_another_file(tmp_path: Path) -> None:
    (tmp_path / "urls.py").write_text('path("a/", views.page)\n', "utf-8")
    (tmp_path / "views.py").write_text("def page(): abort(404)\ndef other(): abort(405)\n", "utf-8")
    assert answers_of(tmp_path, "GET", "/a/") == (404,)


def test_tests_are_no_source(tmp_path: Path) -> None:
    for name in ("app.py", "tests/app.py", "venv/lib.py", "sub/part.py", "data.txt"):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text("def f(): abort(404)\n", "utf-8")
    assert [file.name for file in files_of(tmp_path)] == ["app.py", "part.py"]


def test_source_that_is_no_python_answers_nothing(tmp_path: Path) -> None:
    source = tmp_path / "service.py"
    source.write_text("def (:\n", "utf-8")
    assert (answers_of(source, "GET", "/"), all_answers_of(source)) == ((), ())
