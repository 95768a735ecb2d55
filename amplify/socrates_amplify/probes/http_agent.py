"""Inside a process that a test started: the same hooks, and a journal at the end of the channel."""

from __future__ import annotations

import os

from socrates_amplify.calls import lines, naming
from socrates_amplify.calls.remote import RemoteJournal
from socrates_amplify.probes.http_hooks import Hooks
from socrates_amplify.probes.http_processes import patch_processes
from socrates_amplify.probes.threads import inherit_context


def start() -> Hooks | None:
    """Connect to the test that started this process and install the hooks; None if it is gone."""
    path, token = os.environ.get(lines.CHANNEL, ""), os.environ.get(lines.TOKEN, "")
    naming.child = True
    journal = RemoteJournal(path, token)
    if not journal.connected:
        return None
    hooks = Hooks(journal)
    inherit_context(hooks.patches, journal.here)
    patch_processes(hooks.patches, lambda: {lines.CHANNEL: path, lines.TOKEN: token})
    os.register_at_fork(after_in_child=journal.forked)
    return hooks
