"""Examples in which SOC106 stays silent: the text of a value is as good as the value."""

from __future__ import annotations

from socrates.example import Example
from socrates_rules.sensitive_equality.examples_shop import with_cart

SILENT = (
    Example(
        "text of a number",
        with_cart(
            """
            from shop import Cart

            def test_add():
                assert str(len(Cart().add("pear").items)) == "1"
            """
        ),
    ),
    Example(
        "text of a path",
        """
        def test_add(tmp_path):
            target = tmp_path / "cart.txt"
            assert str(target.resolve()).endswith("cart.txt")
        """,
    ),
    Example(
        "path or text by annotation",
        """
        from pathlib import Path

        def test_add(place: Path | str):
            assert str(place) == "a/b"
        """,
    ),
    Example(
        "text of a Path object",
        """
        from pathlib import Path

        def test_add():
            assert str(Path("a") / "b") == "a/b"
        """,
        page=True,
    ),
    Example(
        "text of a URL",
        """
        def test_add(client):
            assert str(client.get("/").url) == "https://example.org/"
        """,
    ),
    Example(
        "text of a UUID",
        """
        import uuid

        def test_add():
            key = uuid.UUID(int=1)
            assert str(key) == "00000000-0000-0000-0000-000000000001"
        """,
    ),
    Example(
        "text of a date",
        """
        import datetime

        def test_add():
            assert str(datetime.date(2024, 2, 29)) == "2024-02-29"
        """,
    ),
    Example(
        "text of an exception",
        with_cart(
            """
            import pytest

            from shop import Cart

            def test_add():
                with pytest.raises(TypeError) as excinfo:
                    Cart().add()
                assert "missing" in str(excinfo.value)
            """
        ),
    ),
    Example(
        "text of a caught exception",
        with_cart(
            """
            from shop import Cart

            def test_add():
                try:
                    Cart().add()
                except TypeError as problem:
                    assert "missing" in str(problem)
            """
        ),
    ),
    Example(
        "type asserted before",
        """
        import uuid

        def test_add(load):
            key = load("key")
            assert isinstance(key, uuid.UUID)
            assert str(key) == "00000000-0000-0000-0000-000000000001"
        """,
    ),
    Example(
        "parametrized with primitives",
        """
        import pytest

        @pytest.mark.parametrize("price", [1, 2.5, None])
        def test_add(price, shown):
            assert shown(price) == str(price)
        """,
    ),
)
