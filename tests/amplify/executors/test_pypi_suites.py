"""Suites from PyPI give the outcomes of plain pytest when they run through the fork server.

Each is a source distribution of known content, taken from the registry and from nowhere else.
Without the registry these tests are skipped, by the name of what could not be had.
``benchmarks/pytest_parity.py`` does the same to any folder.
"""

from __future__ import annotations

import hashlib
import importlib.util
import io
import os
import re
import subprocess
import sys
import tarfile
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urljoin

import pytest
import requests

pytestmark = pytest.mark.slow

FILE = Path(__file__).parents[3] / "benchmarks" / "pytest_parity.py"


@dataclass(frozen=True)
class Sdist:
    """One source distribution, and the folder in it from which its package can be imported."""

    name: str
    sha256: str
    sources: str
    pytest_args: tuple[str, ...] = ()


SDISTS = (
    Sdist(
        "blinker-1.9.0",
        "b4ce2265a7abece45e7cc896e98dbebe6cead56bcf805a3d23136d145f5445bf",
        "src",
        ("-p", "pytest_asyncio.plugin", "-o", "asyncio_default_fixture_loop_scope=function"),
    ),
    Sdist(
        "pykka-4.3.0",
        "efc0afeb8e0b293d4131a78f9e0b8cbf0d360e16fbaf6d18499804292a557960",
        "src",
        ("-p", "pytest_mock"),
    ),
    Sdist(
        "schedule-1.2.2",
        "15fe9c75fe5fd9b9627f3f19cc0ef1420508f9f9a46f45cd0769ef75ede5f0b7",
        ".",
    ),
)


@pytest.fixture(scope="module")
def parity():
    """The benchmark's module, which is no part of a package."""
    spec = importlib.util.spec_from_file_location("pytest_parity", FILE)
    module = importlib.util.module_from_spec(spec)
    sys.modules["pytest_parity"] = module
    spec.loader.exec_module(module)
    yield module
    del sys.modules["pytest_parity"]


INDEX = os.environ.get("PIP_INDEX_URL") or "https://pypi.org/simple"


def from_index(sdist: Sdist) -> bytes:
    """The file that has this digest, by the registry's list of the files of its project."""
    page = f"{INDEX.rstrip('/')}/{sdist.name.rpartition('-')[0]}/"
    listed = requests.get(page, timeout=60)
    listed.raise_for_status()
    (link,) = re.findall(rf'href="([^"#]+)#sha256={sdist.sha256}"', listed.text)
    file = requests.get(urljoin(page, link), timeout=60)
    file.raise_for_status()
    return file.content


@pytest.fixture(scope="module")
def fetched(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder with all of them.

    pip knows more registries than the usual one, but builds a package to learn its name.
    """
    folder = tmp_path_factory.mktemp("sdists")
    try:
        for sdist in SDISTS:
            (folder / f"{sdist.name}.tar.gz").write_bytes(from_index(sdist))
    except (requests.RequestException, ValueError):
        _by_pip(folder)
    return folder


def _by_pip(folder: Path) -> None:
    names = ",".join(sdist.name.rpartition("-")[0] for sdist in SDISTS)
    wanted = ["==".join(sdist.name.rsplit("-", 1)) for sdist in SDISTS]
    pip = [sys.executable, "-m", "pip", "download", "-q", "--no-deps", "--no-binary", names]
    done = subprocess.run(
        [*pip, "-d", folder, *wanted], capture_output=True, check=False, timeout=240
    )
    if done.returncode:
        pytest.skip(f"{', '.join(wanted)} can't be had from the registry")


@pytest.fixture
def unpacked(request: pytest.FixtureRequest, fetched: Path, tmp_path: Path) -> Path:
    """The sdist that the test is parametrized with, as a folder."""
    sdist: Sdist = request.param
    data = (fetched / f"{sdist.name}.tar.gz").read_bytes()
    assert hashlib.sha256(data).hexdigest() == sdist.sha256, "what came is what was asked for"
    with tarfile.open(fileobj=io.BytesIO(data)) as archive:
        archive.extractall(tmp_path, filter="data")
    return tmp_path / sdist.name


@pytest.mark.parametrize(
    ("unpacked", "sdist"),
    [(sdist, sdist) for sdist in SDISTS],
    indirect=["unpacked"],
    ids=[sdist.name for sdist in SDISTS],
)
def test_outcomes_are_those_of_plain_pytest(
    parity, unpacked: Path, sdist: Sdist, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTHONPATH", str(unpacked / sdist.sources))
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "1")
    args = ("-p", "no:cacheprovider", *sdist.pytest_args)
    plain = parity.plain_outcomes(unpacked, args)
    ours = parity.amplified_outcomes(unpacked, args)
    assert "passed" in plain.values(), "the suite runs at all"
    assert ours == plain
