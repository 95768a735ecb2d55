"""Which client libraries are known, in which versions. Asked once a process: metadata is slow."""

from __future__ import annotations

import functools

from socrates_amplify.probes.versions import SupportedVersions

AIOHTTP = SupportedVersions("aiohttp", "aiohttp", (3,))
HTTPX = SupportedVersions("httpx", "httpx", (0,))
HTTPX2 = SupportedVersions("httpx2", "httpx2", (2,))
REQUESTS = SupportedVersions("requests", "requests", (2,))
URLLIB3 = SupportedVersions("urllib3", "urllib3", (2,))


@functools.cache
def left_alone(known: SupportedVersions) -> str:
    """Why the version that is installed is left alone; empty when it is not."""
    return known.unfit()
