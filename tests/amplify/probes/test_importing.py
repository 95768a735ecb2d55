"""Patches that wait for a module to be imported."""
# socrates: ignore-file[SOC105] lines of this very file are what a message has to name

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from socrates_amplify.probes.importing import ImportPatches
from socrates_amplify.probes.patching import Patches
from socrates_amplify.record.notices import Notices

MODULE = "library_to_patch"


@pytest.fixture
def patches() -> Patches:
    return Patches()


@pytest.fixture
def notices() -> Notices:
    return Notices()


@pytest.fixture
def imports(
    patches: Patches, notices: Notices, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[ImportPatches]:
    """Patches for a library that nobody has imported yet."""
    (tmp_path / f"{MODULE}.py").write_text("speed = 1\nsize = 1\n")
    monkeypatch.syspath_prepend(tmp_path)
    made = ImportPatches(patches, notices)
    yield made
    made.close()
    sys.modules.pop(MODULE, None)


def fails_half_way(patches: Patches) -> None:
    patches.set(sys.modules[MODULE], "speed", 2)
    raise KeyError("weight")


def test_module_is_patched_when_it_is_imported(imports, patches) -> None:
    imports.when(MODULE, lambda: patches.set(sys.modules[MODULE], "speed", 2))
    assert MODULE not in sys.modules
    assert importlib.import_module(MODULE).speed == 2


def test_module_that_was_imported_before_is_patched_at_once(imports, patches) -> None:
    module = importlib.import_module(MODULE)
    imports.when(MODULE, lambda: patches.set(module, "speed", 2))
    assert module.speed == 2


@pytest.mark.parametrize("before", [True, False])
def test_module_that_cannot_be_patched_is_left_as_it_was_and_told(
    imports, patches, notices, before
) -> None:
    if before:
        importlib.import_module(MODULE)
    imports.when(MODULE, lambda: fails_half_way(patches))
    module = importlib.import_module(MODULE)
    assert (module.speed, module.size) == (1, 1)
    [notice] = notices
    line = Path(__file__).read_text().splitlines().index('    raise KeyError("weight")') + 1
    assert notice.message == (
        f"{MODULE} could not be patched: KeyError: 'weight' ({__file__}:{line}); "
        "what the tests do with it is neither recorded nor faulted"
    )


def test_what_one_patch_could_not_do_another_does(imports, patches) -> None:
    imports.when(MODULE, lambda: fails_half_way(patches))
    imports.when(MODULE, lambda: patches.set(sys.modules[MODULE], "speed", 3))
    assert importlib.import_module(MODULE).speed == 3


def test_nothing_is_patched_any_more_after_the_end(imports, patches) -> None:
    imports.when(MODULE, lambda: patches.set(sys.modules[MODULE], "speed", 2))
    imports.close()
    assert importlib.import_module(MODULE).speed == 1
