"""Which classes the patterns of settings fit."""

from __future__ import annotations

import pytest

from socrates.errors import SocratesError
from socrates_amplify.probes.patterns import fitting, names_of, patterns_in
from socrates_amplify.probes.pykka.probe import PykkaProbe


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
