"""The patches of one process: each library is patched when it is there, by its own module."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping, Sequence
from importlib.machinery import ModuleSpec
from types import ModuleType

from socrates_amplify.probes.http.calls.journal import Journal
from socrates_amplify.probes.http.clients import (
    aiohttp as http_aiohttp,
)
from socrates_amplify.probes.http.clients import (
    fakes as http_fakes,
)
from socrates_amplify.probes.http.clients import (
    httpx as http_httpx,
)
from socrates_amplify.probes.http.clients import (
    requests as http_requests,
)
from socrates_amplify.probes.http.clients import (
    urllib3 as http_urllib3,
)
from socrates_amplify.probes.http.clients import (
    versions as http_versions,
)
from socrates_amplify.probes.http.servers import SERVERS
from socrates_amplify.probes.importing import Waiting
from socrates_amplify.probes.patching import Patches
from socrates_amplify.probes.versions import SupportedVersions

Patch = Callable[[Patches, Journal], None]

LIBRARIES: Mapping[SupportedVersions, tuple[str, Patch]] = {
    http_versions.URLLIB3: ("urllib3.connectionpool", http_urllib3.patch),
    http_versions.REQUESTS: ("requests.sessions", http_requests.patch),
    http_versions.HTTPX: ("httpx", http_httpx.patch),
    http_versions.HTTPX2: ("httpx2", http_httpx.patch_httpx2),
    http_versions.AIOHTTP: ("aiohttp", http_aiohttp.patch),
}
"""The client libraries: the module that must be there, and what patches it."""

FAKES: Mapping[str, Patch] = {
    "aioresponses.core": http_aiohttp.patch_aioresponses,
    "responses": http_fakes.patch_responses,
    "respx.router": http_fakes.patch_respx,
}
"""Fakes that keep functions of the library to themselves, or insist on being called."""


class Hooks:
    """All patches, and those that still wait for their library."""

    def __init__(self, journal: Journal) -> None:
        self.patches = Patches()
        self._imports = Waiting()
        for known, (module, patch) in LIBRARIES.items():
            if not http_versions.left_alone(known):
                self._imports.when(module, functools.partial(self._patch, patch, journal))
        for module, patch in (*FAKES.items(), *SERVERS.items()):
            self._imports.when(module, functools.partial(self._patch, patch, journal))

    def _patch(self, patch: Patch, journal: Journal) -> None:
        """Patch a library that has just been imported, or leave it as it is."""
        before = self.patches.mark()
        try:
            patch(self.patches, journal)
        except Exception:
            # Other insides than those we know: the import must go on, and so must the rest.
            self.patches.undo(before)

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """The module that is being imported right now, watched."""
        return self._imports.find_spec(name, path, target)

    def undo(self) -> None:
        """Take everything back."""
        self._imports.close()
        self.patches.undo()
