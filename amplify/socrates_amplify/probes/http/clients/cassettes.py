"""Cassettes of vcrpy and betamax are the user's files, and what is in them is all that a test calls.

Neither a fault nor what it led to is written into one, and what only a fault leads to goes nowhere.
"""

from __future__ import annotations

import copy
from typing import Any

from socrates_amplify import faults
from socrates_amplify.probes.http.calls.journal import HEADER, Journal
from socrates_amplify.probes.patching import Patches

_NAME = HEADER.lower()


def patch_vcrpy(patches: Patches, journal: Journal) -> None:
    """Have a cassette be saved only where no fault has happened, and never see our header."""
    from vcr.cassette import Cassette  # type: ignore[import-untyped,unused-ignore]

    save, init = Cassette._save, Cassette.__init__

    def save_without_faults(cassette: Any, *args: Any, **kwargs: Any) -> None:
        if not faults.injected():
            save(cassette, *args, **kwargs)

    def init_without_header(cassette: Any, *args: Any, **kwargs: Any) -> None:
        init(cassette, *args, **kwargs)
        wanted = cassette._before_record_request
        cassette._before_record_request = lambda request: wanted(_without_header(request))

    protected = Cassette.write_protected.fget

    def is_protected(cassette: Any) -> bool:
        return faults.injected() or bool(protected(cassette))

    patches.set(Cassette, "_save", save_without_faults)
    patches.set(Cassette, "__init__", init_without_header)
    patches.set(Cassette, "write_protected", property(is_protected))


def patch_betamax(patches: Patches, journal: Journal) -> None:
    """Have a cassette record nothing after a fault has happened."""
    from betamax.cassette.cassette import Cassette  # type: ignore[import-untyped,unused-ignore]

    records, save = Cassette.is_recording, Cassette._save_cassette

    def is_recording(cassette: Any) -> bool:
        return not faults.injected() and bool(records(cassette))

    def save_without_faults(cassette: Any) -> None:
        if not faults.injected():
            save(cassette)

    patches.set(Cassette, "is_recording", is_recording)
    patches.set(Cassette, "_save_cassette", save_without_faults)


def _without_header(request: Any) -> Any:
    """The request as the code under test makes it; what is compared and kept is this."""
    if not request or HEADER not in request.headers:
        return request
    plain = copy.copy(request)
    kept = ((name, value) for name, value in request.headers.items() if name.lower() != _NAME)
    plain.headers = dict(kept)
    return plain
