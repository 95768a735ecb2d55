"""Tables of names: what they say of the standard library is there."""

from __future__ import annotations

import builtins
import importlib
import sys

import pytest

from socrates_rules.general_fixture import harmless
from socrates_rules.mystery_guest import value_names
from socrates_rules.rewriting import mutation
from socrates_rules.sensitive_equality import objects

TABLES = {
    "calls without an effect": harmless.CALLS,
    "calls that only build": mutation.PURE_CALLS,
    "names that say nothing": value_names.NEUTRAL_NAMES,
    "calls that give what they get": objects._SAME_KIND,
}


def exists(dotted: str) -> bool:
    """Whether there is something of this name, in a module or in what it holds."""
    parts = dotted.split(".")
    for count in range(len(parts), 0, -1):
        try:
            found: object = importlib.import_module(".".join(parts[:count]))
        except ModuleNotFoundError:
            continue
        for name in parts[count:]:
            if not hasattr(found, name):
                return False
            found = getattr(found, name)
        return True
    return False


@pytest.mark.parametrize("names", TABLES.values(), ids=list(TABLES))
def test_names_of_the_standard_library_exist(names: frozenset[str] | tuple[str, ...]) -> None:
    own = [name for name in names if name.partition(".")[0] in sys.stdlib_module_names]
    assert (len(own) > 5, [name for name in own if not exists(name)]) == (True, [])


@pytest.mark.parametrize("names", [value_names.NUMBERS, value_names.CARRIERS])
def test_builtins_exist(names: frozenset[str]) -> None:
    assert [name for name in names if not hasattr(builtins, name)] == []
