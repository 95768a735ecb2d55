"""Inside a process that a test started: the probes of the test, at the other end of its channel."""

from __future__ import annotations

import os

from socrates_amplify.extensions.collect import for_started_process
from socrates_amplify.model.notices import Notice
from socrates_amplify.probes.patching import Patches
from socrates_amplify.probes.processes import lines, role
from socrates_amplify.probes.processes.starting import patch_processes
from socrates_amplify.probes.processes.wire import DIRECTORY, SocketWire
from socrates_amplify.probes.thread_context import inherit_context
from socrates_amplify.record.messages import CurrentContext

_VARIABLES = (lines.CHANNEL, lines.TOKEN, lines.MODULES)


def start() -> None:
    """Connect to the test and install each probe that has an endpoint there.

    Never raises: what goes wrong the test is told, and this process goes on by itself.
    """
    role.child = True
    variables = {name: os.environ.get(name, "") for name in _VARIABLES}
    wire = SocketWire(variables[lines.CHANNEL], variables[lines.TOKEN])
    names = wire.ask(DIRECTORY, "hello")
    if not isinstance(names, list):
        return
    try:
        patches = Patches()
        inherit_context(patches, CurrentContext())
        patch_processes(patches, lambda: variables)
        os.register_at_fork(after_in_child=wire.forked)
        extensions = for_started_process(names)
        for probe in extensions.available_probes:
            if probe.name in names:
                probe.install_remote(wire)
        for error in extensions.failures:
            wire.notice(Notice.of(error))
    except Exception as error:
        told = f"{type(error).__name__}: {error}"
        wire.notice(Notice(f"a process that a test started could not be watched: {told}"))
