"""What views can answer, read off their source."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent

import pytest

from socrates_amplify.probes.http.answers.statuses import statuses_of

VIEWS = {
    "flask abort": ("def view():\n    abort(404)", (404,)),
    "flask tuple": ("def view():\n    return {'error': 'x'}, 409", (409,)),
    "flask tuple with headers": ("def view():\n    return '', 429, {'Retry-After': 1}", (429,)),
    "flask make_response": ("def view():\n    return make_response('x', 418)", (418,)),
    "werkzeug exception": ("def view():\n    raise NotFound('no such')", (404,)),
    "flask-sqlalchemy": ("def view():\n    return Order.query.get_or_404(1)", (404,)),
    "fastapi exception": ("async def view():\n    raise HTTPException(status_code=403)", (403,)),
    "fastapi exception, positional": ("def view():\n    raise HTTPException(410, 'x')", (410,)),
    "starlette response": ("def view(r):\n    return JSONResponse({}, status_code=503)", (503,)),
    "starlette names": (
        "def view(r):\n    return Response(status_code=status.HTTP_422_UNPROCESSABLE_ENTITY)",
        (422,),
    ),
    "django 404": ("def view(request):\n    raise Http404", (404,)),
    "django response": ("def view(request):\n    return HttpResponseForbidden()", (403,)),
    "django status": ("def view(request):\n    return JsonResponse({}, status=400)", (400,)),
    "django shortcut": ("def view(request):\n    get_object_or_404(Order, pk=1)", (404,)),
    "stdlib": ("def do_GET(self):\n    self.send_error(404)", (404,)),
    "aiohttp": ("async def view(request):\n    raise web.HTTPConflict()", (409,)),
    "an enumeration": ("def view():\n    return '', HTTPStatus.GONE", (410,)),
    "an enumeration's value": ("def view():\n    return '', HTTPStatus.GONE.value", (410,)),
    "a value of something": ("def view():\n    return '', gone.value", ()),
    "an enumeration that is no error": ("def view():\n    return '', HTTPStatus.CREATED", ()),
    "an enumeration in a module": ("def view():\n    return '', http.HTTPStatus.GONE", (410,)),
    "either of two": ("def view():\n    return '', 404 if lost else 410", (404, 410)),
    "a constant": ("GONE = 410\ndef view():\n    return '', GONE", (410,)),
    "an attribute": ("def view(r):\n    r.status_code = 507\n    return r", (507,)),
    "a helper": ("def view():\n    check()\ndef check():\n    abort(401)", (401,)),
    "a helper that calls back": ("def view():\n    check()\ndef check():\n    view()", ()),
    "nothing but success": ("def view():\n    return {}, 201", ()),
    "a redirect": ("def view():\n    return Response(status=302)", ()),
    "what is computed": ("def view():\n    return '', int(code)", ()),
    "a number elsewhere": ("def view():\n    return {'limit': 404}", ()),
}


@pytest.fixture
def source(tmp_path: Path):
    """Writes a file of views."""

    def write(text: str) -> Path:
        path = tmp_path / "views.py"
        path.write_text(text)
        return path

    return write


@pytest.mark.parametrize(("text", "codes"), VIEWS.values(), ids=VIEWS)
def test_statuses_of_a_view(source, text, codes) -> None:
    line = 2 if text.startswith("GONE") else 1
    assert statuses_of(source(text), line) == codes


def test_another_view_of_the_file_does_not_count(source) -> None:
    path = source("def one():\n    abort(404)\n\ndef two():\n    abort(410)\n")
    assert statuses_of(path, 4) == (410,)


def test_a_decorated_view_is_found_by_its_first_line(source) -> None:
    text = '@app.get("/x")\n@cached\ndef view():\n    abort(404)\n'
    assert statuses_of(source(text), 1) == (404,)


def test_a_class_counts_with_all_its_methods(source) -> None:
    text = dedent(
        """
        class View:
            def get(self, request):
                raise Http404

            def post(self, request):
                return JsonResponse({}, status=409)
        """
    )
    assert statuses_of(source(text), 2) == (404, 409)


@pytest.mark.parametrize("text", ["def view(:", ""], ids=["no Python", "empty"])
def test_a_file_that_says_nothing_has_no_statuses(source, text) -> None:
    assert statuses_of(source(text), 1) == ()


def test_a_file_that_is_gone_has_no_statuses(tmp_path) -> None:
    assert statuses_of(tmp_path / "views.py", 1) == ()
