"""Ten thousand messages: memory stays small and time grows with the number of messages."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from textwrap import dedent

import pytest

SYSTEM = """
    import json, resource, sys, time
    import pykka
    from socrates_amplify.probes.pykka.probe import PykkaProbe
    from socrates_amplify.record.recorder import Recorder
    from socrates_amplify.model.serial import trace_to_json

    class Sink(pykka.ThreadingActor):
        def on_receive(self, message):
            return None

    recorder = Recorder()
    undo = PykkaProbe().install(recorder, {})
    sink = Sink.start()
    for number in range(int(sys.argv[1])):
        sink.tell({"delivery_id": number, "text": "x" * int(sys.argv[2])})
    sink.stop()
    undo()
    started = time.process_time()
    text = json.dumps(trace_to_json(recorder.trace()))
    cost = time.process_time() - started
    print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024, cost, len(recorder.trace().sends))
"""


@pytest.fixture
def script(tmp_path: Path) -> Path:
    """The system as a script, so that its memory can be measured alone."""
    path = tmp_path / "system.py"
    path.write_text(dedent(SYSTEM), encoding="utf-8")
    return path


def measured(script: Path, messages: int, size: int) -> list[float]:
    """Megabytes, seconds and messages."""
    command = [sys.executable, str(script), str(messages), str(size)]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=120)
    return [float(word) for word in done.stdout.split()]


@pytest.mark.parametrize(
    ("messages", "size"), [(10_000, 10), (1_500, 800_000)], ids=["many", "large"]
)
def test_a_trace_stays_below_a_gigabyte(script: Path, messages: int, size: int) -> None:
    megabytes, _, sends = measured(script, messages, size)
    assert sends == messages + 1
    assert megabytes < 1024


def test_cost_grows_no_faster_than_the_number_of_messages(script: Path) -> None:
    _, few, _ = measured(script, 2_500, 10)
    _, many, _ = measured(script, 10_000, 10)
    assert many < few * 4 * 2.5
