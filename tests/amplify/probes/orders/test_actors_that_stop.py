"""Stops and reads of attributes have their place in the order of an actor's messages."""

from __future__ import annotations

from typing import Any

import pykka
import pytest

from socrates_amplify.model.faults import Fault, Scenario
from socrates_amplify.probes.orders.probe import UNFORCED, OrdersProbe
from socrates_amplify.probes.pykka.probe import PykkaProbe
from socrates_amplify.record.recorder import Recorder


class Archive(pykka.ThreadingActor):
    kept = 0

    def on_receive(self, message: object) -> None:
        self.kept += 1


class Crawler(pykka.ThreadingActor):
    def __init__(self, boss: Any, archive: Any) -> None:
        super().__init__()
        self._boss, self._archive = boss, archive

    def on_receive(self, message: object) -> None:
        self._boss.tell("done")
        self._archive.tell("page")


class Boss(pykka.ThreadingActor):
    def __init__(self, archive: Any) -> None:
        super().__init__()
        self._archive = archive

    def on_receive(self, message: object) -> None:
        self._archive.stop(block=False)


class Reader(pykka.ThreadingActor):
    def __init__(self, archive: Any) -> None:
        super().__init__()
        self._archive = archive

    def on_receive(self, message: object) -> int:
        return int(self._archive.proxy().kept.get())


def stop_early() -> None:
    archive = Archive.start()
    Crawler.start(Boss.start(archive), archive).tell("go")
    archive.actor_stopped.wait(5)


def read_early() -> None:
    archive = Archive.start()
    crawler = Crawler.start(Archive.start(), archive)
    crawler.tell("go")
    Reader.start(archive).ask("read")


def orders_of(code: Any) -> list[Fault]:
    recorder = Recorder(Scenario.of([UNFORCED]))
    undos = [probe.install(recorder, {}) for probe in (PykkaProbe(), OrdersProbe())]
    try:
        code()
        pykka.ActorRegistry.stop_all()
    finally:
        for undo in reversed(undos):
            undo()
    return OrdersProbe().faults_of(recorder.trace(), ["order"])


@pytest.mark.parametrize(
    ("code", "told"),
    [(stop_early, "'page' after stop of Boss#1"), (read_early, "'page' after .kept of Reader#1")],
)
def test_order_counts(code, told) -> None:
    assert told in [fault.message for fault in orders_of(code)]
