"""The kind ``cache-miss``: Acme's cache has forgotten a value, as any cache may."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Iterable, Mapping
from typing import Any

from socrates_amplify.model.events import Offer, Trace
from socrates_amplify.model.faults import Fault
from socrates_amplify.model.kinds import CALL, FaultKind, OnChannel
from socrates_amplify.probes.base import Probe, Undo
from socrates_amplify.probes.patching import Patches
from socrates_amplify.probes.space import call_faults
from socrates_amplify.record.messages import Actor, Described, Message
from socrates_amplify.record.recorder import Recorder

CACHE_MISS = FaultKind(
    "cache-miss",
    (OnChannel(CALL, "a cache may forget: the value should be made anew", default=True),),
    "A value that the cache has forgotten changes the result",
)
OFFERS = (Offer(CACHE_MISS.name),)


class CacheProbe(Probe):
    """Patches ``acme_cache.Cache.get`` while a test runs."""

    name = "acme-cache"
    channel = CALL

    def available(self) -> bool:
        """Whether the cache is installed."""
        return importlib.util.find_spec("acme_cache") is not None

    def install(self, recorder: Recorder, config: Mapping[str, object]) -> Undo:
        """Record every ``get``, and answer with nothing where the fault is planned."""
        from acme_cache import Cache

        service = Actor(Cache, None, False, describe)
        service.key = service.address = "cache"
        original = Cache.get

        def get(cache: Any, key: str) -> object:
            frame = sys._getframe(1)
            sent = Message(
                key, service, recorder.here.context, frame.f_code, frame.f_lasti, wants_reply=True
            )
            recorder.sent(sent)
            recorder.turn(sent)
            if recorder.eager and sent.faults:  # known only in a run under faults
                recorder.injected(sent, sent.faults[0])
                return None
            value = original(cache, key)
            recorder.replied(sent, value)
            return value

        patches = Patches()
        patches.set(Cache, "get", get)
        return patches.undo

    def faults_of(self, trace: Trace, kinds: Iterable[str]) -> list[Fault]:
        """The faults that the recorded calls offer."""
        return call_faults(trace, kinds, applied=[CACHE_MISS.name])


def describe(sent: Message, key: object) -> Described:
    """What traces and reports say about one ``get``."""
    return Described("acme_cache:Cache.get", key, f"get {key}", offers=OFFERS, channel=CALL)
