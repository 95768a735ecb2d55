"""The probe for remote calls: requests, urllib3, httpx and aiohttp, and the services they reach."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import ClassVar

from socrates_amplify.calls.journal import LocalJournal
from socrates_amplify.calls.settings import read_settings
from socrates_amplify.events import Trace
from socrates_amplify.faults import Fault
from socrates_amplify.probes.base import Probe, Undo
from socrates_amplify.probes.http_forks import Family
from socrates_amplify.probes.http_hooks import LIBRARIES, Hooks
from socrates_amplify.probes.http_processes import patch_processes
from socrates_amplify.probes.space import call_faults
from socrates_amplify.probes.threads import inherit_context
from socrates_amplify.recording import Recorder


class HttpProbe(Probe):
    """Holds on to whichever of the libraries the project imports, and to nothing before that."""

    name: ClassVar[str] = "http"

    def available(self) -> bool:
        """Whether one of the libraries can be imported."""
        return any(known.present() for known in LIBRARIES)

    def warnings(self) -> Iterable[str]:
        """Versions that are not known."""
        return [unfit for known in LIBRARIES if (unfit := known.unfit())]

    def install(self, recorder: Recorder, config: Mapping[str, object]) -> Undo:
        """Patch the libraries until the returned function is called."""
        journal = LocalJournal(recorder, read_settings(config))
        family = Family(journal, recorder.here)
        hooks = Hooks(family)
        inherit_context(hooks.patches, recorder.here)
        if family.watches_processes:
            patch_processes(hooks.patches, family.variables)

        def undo() -> None:
            hooks.undo()
            family.close()

        return undo

    def faults_of(self, trace: Trace, kinds: Iterable[str]) -> list[Fault]:
        """The faults that the calls of this trace offer."""
        return call_faults(trace, kinds)
