"""Probes of other distributions come in through an entry point."""

from __future__ import annotations

from pathlib import Path

import pytest

from socrates.errors import SocratesError
from socrates_amplify.extensions import available_probes, load_probes
from socrates_amplify.probes.patterns import fitting, names_of, patterns_in
from socrates_amplify.probes.pykka.probe import PykkaProbe

MODULE = """
from socrates_amplify.probes.base import Probe
import pluggy

class Elsewhere(Probe):
    name = "elsewhere"
    def available(self): return False
    def install(self, recorder, config): return lambda: None
    def faults_of(self, trace, kinds): return []

@pluggy.HookimplMarker("socrates")
def socrates_probes():
    return [Elsewhere()]
"""


@pytest.fixture
def other_distribution(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An installed distribution with a probe."""
    (tmp_path / "elsewhere_probe.py").write_text(MODULE)
    info = tmp_path / "elsewhere-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: elsewhere\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[socrates]\nelsewhere = elsewhere_probe\n")
    monkeypatch.syspath_prepend(str(tmp_path))


@pytest.mark.usefixtures("other_distribution")
def test_a_probe_of_another_distribution_is_loaded() -> None:
    assert load_probes()[-1].name == "elsewhere"


@pytest.mark.usefixtures("other_distribution")
def test_a_probe_whose_framework_is_missing_is_not_used() -> None:
    names = {probe.name for probe in available_probes()}

    assert ("pykka" in names, "elsewhere" in names) == (True, False)


class Base:
    """A class to match."""


class Derived(Base):
    """Matches by its base, too."""


@pytest.mark.parametrize(
    ("pattern", "fits"),
    [
        (f"{__name__}:Derived", True),
        (f"{__name__}:Base", True),
        ("*:Der*", True),
        ("Derived", True),
        ("other:Derived", False),
        ("*:derived", False),
    ],
)
def test_patterns_fit_a_class_and_what_it_inherits_from(pattern: str, fits: bool) -> None:
    assert fitting([pattern, "no:Such"], names_of(Derived)) == (pattern if fits else "")


@pytest.mark.parametrize("value", ["*:Account", [1], 3, {"a": 1}])
def test_a_setting_that_is_no_list_of_patterns_is_refused(value: object) -> None:
    with pytest.raises(SocratesError, match=r"\[tool\.socrates\.amplify\.pykka\] persistent must"):
        patterns_in({"persistent": value}, "persistent", PykkaProbe.name)
