"""What is built, and what installs."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest
from hatchling.builders.wheel import WheelBuilder


@pytest.fixture(scope="module")
def wheel(repository: Path, tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """The names of all files in the wheel."""
    folder = tmp_path_factory.mktemp("dist")
    [path] = WheelBuilder(str(repository)).build(directory=str(folder), versions=["standard"])
    with zipfile.ZipFile(path) as archive:
        return archive.namelist()


def test_only_our_three_packages_install(wheel: list[str]) -> None:
    tops = {name.partition("/")[0] for name in wheel if ".dist-info/" not in name}
    assert tops == {"socrates", "socrates_rules", "socrates_amplify"}


@pytest.mark.parametrize("package", ["socrates", "socrates_rules", "socrates_amplify"])
def test_each_package_is_typed(wheel: list[str], package: str) -> None:
    assert f"{package}/py.typed" in wheel


def test_guides_and_pages_of_rules_are_in_the_wheel(repository: Path, wheel: list[str]) -> None:
    docs = repository / "docs"
    pages = {f"socrates/pages/{path.relative_to(docs).as_posix()}" for path in docs.rglob("*.md")}
    assert pages <= set(wheel)


def test_assets_of_reports_are_in_the_wheel(repository: Path, wheel: list[str]) -> None:
    assets = {
        path.relative_to(repository).as_posix()
        for path in (repository / "socrates" / "report" / "assets").iterdir()
        if path.is_file()
    }
    assert assets <= set(wheel)
