"""A project whose ``conftest.py`` clears the environment, so that nothing of the user's gets into tests."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

FILES = {
    "conftest.py": "import os\nos.environ.clear()\n",
    "shop.py": (
        "import requests\n"
        "def price():\n"
        "    return requests.get('http://prices/7', timeout=1).json()['price']\n"
    ),
    "test_shop.py": (
        "import responses, shop\n"
        "@responses.activate\n"
        "def test_price():\n"
        "    responses.get('http://prices/7', json={'price': 5})\n"
        "    assert shop.price() == 5\n"
    ),
}


@pytest.mark.parametrize("executor", ["fork", "subprocess"])
def test_it_is_amplified_and_replayed_as_any_other(tmp_path: Path, socrates, executor: str) -> None:
    for name, text in FILES.items():
        (tmp_path / name).write_text(text)
    options = ("--executor", executor, "--faults", "status:500", "--output-format", "json")
    (test,) = json.loads(socrates(tmp_path, "amplify", *options).stdout)["tests"]
    (defect,) = test["defects"]
    done = socrates(tmp_path, "replay", defect["replay"].split()[-1])
    assert (defect["class"], "breaks again" in done.stdout + done.stderr) == ("unprepared", True)
