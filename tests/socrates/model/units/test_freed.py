"""What was found out about a file keeps nothing of it alive."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Callable

import pytest

from socrates.model.context import FileContext

FILES = {
    "production.py": "class Box:\n    def add(self, item): ...\n",
    "test_it.py": """
        from contextlib import contextmanager
        from production import Box

        @contextmanager
        def boxed():
            yield Box()

        def filled(box):
            box.add(1)
            return box

        def test_box():
            with boxed() as box, open("x") as stream:
                filled(box).add(lambda: stream)
                assert box
        """,
}


@pytest.mark.parametrize("question", ["production_calls", "unit", "assertions"])
def test_closed_file_is_freed_without_the_collector(
    open_module: Callable[..., FileContext], question: str
) -> None:
    file = open_module(FILES)
    for test in file.tests:
        getattr(file, question)(test)
    module = weakref.ref(file.module)
    gc.disable()
    try:
        file.close()
        del file, test
        assert module() is None
    finally:
        gc.enable()
