"""Which actor's reply a failing assertion looked at, read off the test's source and its replies."""

from __future__ import annotations

from types import FrameType

from socrates_amplify.recording import Recorder


def actor_looked_at(recorder: Recorder, frame: FrameType | None, line: int) -> str:
    """The address of that actor; empty when there was no reply, or there were several actors."""
    recorder.trace()
    if not recorder.consumptions:
        return ""
    return recorder.consumptions[-1].sent.actor.address
