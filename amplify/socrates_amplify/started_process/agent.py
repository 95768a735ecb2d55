"""Inside a process that a test started: the probes of the test, at the other end of its channel."""

from __future__ import annotations

import os
from collections.abc import Collection

from socrates_amplify.extensions.own import OWN
from socrates_amplify.model.notices import Notice
from socrates_amplify.probes.base import Probe, Wire
from socrates_amplify.probes.patching import Patches
from socrates_amplify.probes.processes import lines, role
from socrates_amplify.probes.processes.starting import patch_processes
from socrates_amplify.probes.processes.wire import DIRECTORY, SocketWire
from socrates_amplify.probes.thread_context import inherit_context
from socrates_amplify.record.messages import CurrentContext
from socrates_amplify.record.notices import Notices

_VARIABLES = (lines.CHANNEL, lines.TOKEN, lines.MODULES)


def start() -> None:
    """Connect to the test and install each probe that has an endpoint there.

    Never raises: the test is told what went wrong, and this process goes on by itself.
    """
    role.child = True
    variables = {name: os.environ.get(name, "") for name in _VARIABLES}
    wire = SocketWire(variables[lines.CHANNEL], variables[lines.TOKEN])
    names = wire.ask(DIRECTORY, "hello")
    if not isinstance(names, list):
        return
    patches = Patches()
    inherit_context(patches, CurrentContext())
    patch_processes(patches, lambda: variables)
    os.register_at_fork(after_in_child=wire.forked)
    notices = Notices(wire.notice)
    for name in names:
        if name in OWN:
            _install(OWN[name].make(), wire, notices)
    if not OWN.keys() >= set(names):
        _install_plugins(names, wire, notices)


def _install(probe: Probe, wire: Wire, notices: Notices) -> None:
    try:
        if probe.available():
            probe.install_remote(wire)
    except Exception as error:
        notices.unpatched(probe.name, error)


def _install_plugins(names: Collection[object], wire: Wire, notices: Notices) -> None:
    """Install the probes of plugins; what a plugin raises, the test is told."""
    # Not for every started process: loading plugins takes as long as all else here.
    from socrates_amplify.extensions.collect import for_test_process

    extensions = for_test_process()
    for probe in extensions.probes:
        if probe.name in names and probe.name not in OWN:
            _install(probe, wire, notices)
    for error in extensions.failures:
        notices.add(Notice.of(error))
