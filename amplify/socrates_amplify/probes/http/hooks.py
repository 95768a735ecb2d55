"""The patches of one process: each library is patched when it is there, by its own module."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping

from socrates_amplify.probes.http.calls.journal import Journal
from socrates_amplify.probes.http.calls.origins import patch_pools, patch_tasks
from socrates_amplify.probes.http.clients import versions
from socrates_amplify.probes.http.clients.aiohttp import patch as patch_aiohttp
from socrates_amplify.probes.http.clients.aiohttp import patch_aioresponses
from socrates_amplify.probes.http.clients.aiohttp import patch_vcrpy as patch_aiohttp_in_vcrpy
from socrates_amplify.probes.http.clients.cassettes import patch_betamax, patch_vcrpy
from socrates_amplify.probes.http.clients.deadlines import patch as patch_timeouts
from socrates_amplify.probes.http.clients.fakes import (
    patch_aresponses,
    patch_pytest_httpx,
    patch_responses,
    patch_respx,
)
from socrates_amplify.probes.http.clients.httpx import patch as patch_httpx
from socrates_amplify.probes.http.clients.httpx import patch_httpx2
from socrates_amplify.probes.http.clients.requests import patch as patch_requests
from socrates_amplify.probes.http.clients.urllib3 import patch as patch_urllib3
from socrates_amplify.probes.http.escapes import ESCAPES
from socrates_amplify.probes.http.servers import SERVERS
from socrates_amplify.probes.importing import ImportPatches
from socrates_amplify.probes.patching import Patches
from socrates_amplify.probes.versions import SupportedVersions
from socrates_amplify.record.notices import Notices

Patch = Callable[[Patches, Journal], None]

LIBRARIES: Mapping[SupportedVersions, tuple[str, Patch]] = {
    versions.URLLIB3: ("urllib3.connectionpool", patch_urllib3),
    versions.REQUESTS: ("requests.sessions", patch_requests),
    versions.HTTPX: ("httpx", patch_httpx),
    versions.HTTPX2: ("httpx2", patch_httpx2),
    versions.AIOHTTP: ("aiohttp", patch_aiohttp),
}
"""The client libraries: the module that must be there, and what patches it."""

FAKES: Mapping[str, Patch] = {
    "aioresponses.core": patch_aioresponses,
    "aresponses.main": patch_aresponses,
    "pytest_httpx._httpx_mock": patch_pytest_httpx,
    "responses": patch_responses,
    "respx.router": patch_respx,
    "betamax.cassette.cassette": patch_betamax,
    "vcr.cassette": patch_vcrpy,
    "vcr.stubs.aiohttp_stubs": patch_aiohttp_in_vcrpy,
}
"""Fakes that keep functions of the library to themselves, insist on being called, or write files."""

ORIGINS: Mapping[str, Patch] = {
    "asyncio.base_events": patch_tasks,
    "asyncio.timeouts": patch_timeouts,
    "concurrent.futures.thread": patch_pools,
}
"""Where calls are handed on to tasks and threads, and given up."""


WATCHED = tuple(
    module
    for module in (*(module for module, _ in LIBRARIES.values()), *SERVERS)
    if module != "socket"  # every process has it
)
"""Modules with which a process makes or handles calls, in the order of the tables."""


class Hooks:
    """All patches, and those that still wait for their library."""

    def __init__(self, journal: Journal, notices: Notices) -> None:
        self.patches = Patches()
        self._imports = ImportPatches(self.patches, notices)
        for known, (module, patch) in LIBRARIES.items():
            if not versions.left_alone(known):
                self._imports.when(module, functools.partial(patch, self.patches, journal))
        for module, patch in (*FAKES.items(), *SERVERS.items(), *ESCAPES.items(), *ORIGINS.items()):
            self._imports.when(module, functools.partial(patch, self.patches, journal))

    def undo(self) -> None:
        """Take everything back."""
        self._imports.close()
        self.patches.undo()
