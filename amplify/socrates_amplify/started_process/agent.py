"""Inside a process that a test started: the same hooks, at the other end of the channel."""

from __future__ import annotations

import os

from socrates_amplify.probes.http.calls.remote import ENDPOINT, RemoteJournal
from socrates_amplify.probes.http.hooks import Hooks
from socrates_amplify.probes.patching import Patches
from socrates_amplify.probes.processes import lines, role
from socrates_amplify.probes.processes.group import DIRECTORY
from socrates_amplify.probes.processes.starting import patch_processes
from socrates_amplify.probes.processes.wire import Wire
from socrates_amplify.probes.queues.celery import CeleryProbe
from socrates_amplify.probes.queues.dramatiq import DramatiqProbe
from socrates_amplify.probes.queues.rq import RqProbe
from socrates_amplify.probes.thread_context import inherit_context
from socrates_amplify.record.messages import CurrentContext


def start() -> Hooks | None:
    """Connect to the test that started this process and install what it listens to."""
    path, token = os.environ.get(lines.CHANNEL, ""), os.environ.get(lines.TOKEN, "")
    role.child = True
    wire = Wire(path, token)
    endpoints = wire.ask(DIRECTORY, "hello")
    if not isinstance(endpoints, list):
        return None
    patches = Patches()
    inherit_context(patches, CurrentContext())
    patch_processes(patches, lambda: {lines.CHANNEL: path, lines.TOKEN: token})
    os.register_at_fork(after_in_child=wire.forked)
    for probe in (DramatiqProbe(), CeleryProbe(), RqProbe()):
        if probe.name in endpoints and probe.available():
            probe.install_remote(wire)
    return Hooks(RemoteJournal(wire)) if ENDPOINT in endpoints else None
