"""What a faked service can answer, read off its source: by the view whose route fits a call."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from socrates.errors import SocratesError
from socrates_amplify.model.faults import Fault
from socrates_amplify.probes.http.answers.routes import answers_of
from socrates_amplify.probes.http.answers.sources import unmatched_sources
from socrates_amplify.probes.http.probe import HttpProbe

OTHERS = """
def unrelated():
    abort(418)
"""
VIEWS = {
    "flask": '@app.get("/reviews/<int:id>")\ndef view(id):\n    abort(404)',
    "flask route": '@bp.route("/reviews/<id>/")\ndef view(id):\n    abort(404)',
    "flask rule": 'def view():\n    abort(404)\napp.add_url_rule("/reviews/<id>", view_func=view)',
    "fastapi": '@app.get("/reviews/{id}")\ndef view(id):\n    raise HTTPException(404)',
    "a mounted router": '@router.get("/{id}")\ndef view(id):\n    raise HTTPException(404)',
    "starlette": 'def view(r):\n    raise HTTPException(404)\nroutes = [Route("/reviews/{id:int}", view)]',
    "django": "def view(r, pk):\n    raise Http404\nurlpatterns = [path('reviews/<int:pk>', view)]",
    "django class": (
        "class View:\n    def get(self, r):\n        raise Http404\n"
        "urlpatterns = [path('reviews/<int:pk>/', csrf_exempt(View.as_view()))]"
    ),
    "django regex": "def view(r):\n    raise Http404\nu = [re_path(r'^reviews/(?P<pk>[0-9]+)/$', view)]",
    "aiohttp": '@routes.get("/reviews/{id:[0-9]+}")\nasync def view(r):\n    raise HTTPNotFound',
    "aiohttp list": 'async def view(r):\n    raise HTTPNotFound\na = [web.get("/reviews/{id}", view)]',
    "aiohttp router": "def view(r):\n    raise HTTPNotFound\nr.add_get('/{rest:path}', view)",
}


@pytest.fixture
def source(tmp_path: Path):
    """Writes files of a service, by name, into one folder."""

    def write(**files: str) -> Path:
        for name, text in files.items():
            (tmp_path / f"{name}.py").write_text(text)
        return tmp_path

    return write


@pytest.mark.parametrize("text", VIEWS.values(), ids=VIEWS)
def test_the_view_whose_route_fits_tells(source, text) -> None:
    assert answers_of(source(views=text + OTHERS), "GET", "/reviews/7") == (404,)


def test_a_view_may_be_in_another_file_than_its_route(source) -> None:
    views = "def detail(request, pk):\n    raise Http404\n" + OTHERS
    folder = source(urls="urlpatterns = [path('reviews/<pk>', views.detail)]", views=views)
    assert answers_of(folder, "GET", "/reviews/7") == (404,)


TWO = """
@app.get("/reviews/<id>")
def one(id):
    abort(404)

@app.post("/reviews/<id>")
def change(id):
    abort(409)

@app.get("/reviews/latest")
def latest():
    abort(410)
"""


@pytest.mark.parametrize(
    ("method", "path", "codes"),
    [
        ("GET", "/reviews/7", (404,)),
        ("POST", "/reviews/7", (409,)),
        ("GET", "/reviews/latest", (410,)),
        ("GET", "/api/v1/reviews/7", (404,)),
        ("GET", "/reviews/<uuid>", (404,)),
        ("GET", "/elsewhere", (404, 409, 410)),
    ],
    ids=["a parameter", "a method", "the nearest", "mounted", "scrubbed", "no view fits: all"],
)
def test_a_route_fits_by_method_and_path(source, method, path, codes) -> None:
    assert answers_of(source(views=TWO) / "views.py", method, path) == codes


def test_tests_of_a_service_are_no_part_of_it(source, tmp_path) -> None:
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "test_it.py").write_text("abort(418)")
    assert answers_of(source(views="abort(404)"), "GET", "/") == (404,)


@pytest.mark.parametrize(
    ("sources", "told"),
    [
        ({"reviews": "servics"}, r"sources\] reviews: there is no 'servics' in "),
        ({"reviews": "empty"}, r"sources\] reviews: 'empty' has no Python file"),
        ({"reviews": "broken.py"}, r"sources\] reviews: 'broken.py' is no Python"),
        ({"reviews": 7}, "must name files or folders"),
    ],
    ids=["missing", "empty", "no Python", "no path"],
)
def test_a_source_that_can_not_be_read_is_told(source, tmp_path, sources, told) -> None:
    (tmp_path / "empty").mkdir()
    folder = source(broken="def view(:")
    with pytest.raises(SocratesError, match=told):
        HttpProbe().prepare(str(folder), {"sources": sources})


FAULTS = [Fault("t1", "timeout", "test", "reviews.internal", "GET /reviews/7")]


@pytest.mark.parametrize(
    ("name", "warnings"),
    [("reviews.internal", 0), ("reviews.interna", 1)],
    ids=["a service that is called", "one that is not"],
)
def test_a_source_that_nobody_asks_for_is_told(name, warnings) -> None:
    told = list(unmatched_sources({"http": {"sources": {name: "x.py"}}}, FAULTS))
    assert [line.endswith("did you mean 'reviews.internal'?") for line in told] == [True] * warnings


SHOP = """
import requests

def stars(id):
    try:
        answer = requests.get(f"http://reviews.internal/reviews/{id}", timeout=5)
        if answer.status_code >= 500:
            return None
        return answer.json()["stars"]
    except requests.RequestException:
        return None
"""
TEST = """
import responses, shop

@responses.activate
def test_stars():
    responses.get("http://reviews.internal/reviews/7", json={"stars": 5})
    assert shop.stars(7) in (5, None)
"""


@pytest.fixture
def project(tmp_path: Path, socrates):
    """A project with a faked service, whose source lies beside it; amplified with these settings."""
    (tmp_path / "services").mkdir()
    for name, text in (("shop", SHOP), ("test_shop", TEST), ("services/reviews", TWO)):
        (tmp_path / f"{name}.py").write_text(text)

    def amplify(settings: str):
        (tmp_path / "pyproject.toml").write_text(f"[tool.socrates.amplify.http]\n{settings}\n")
        return socrates(tmp_path, "amplify", "--output-format", "json")

    return amplify


def test_a_faked_service_answers_with_what_its_source_can(project) -> None:
    done = project('sources = {"reviews.internal" = "services/reviews.py"}')
    [defect] = json.loads(done.stdout)["tests"][0]["defects"]
    assert [fault["kind"] for fault in defect["faults"]] == ["status:404"]


def test_a_source_that_is_not_there_ends_the_run(project) -> None:
    done = project('sources = {"reviews.internal" = "services/review.py"}')
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
