"""Order bugs that real projects had, as they were and repaired."""

from __future__ import annotations

import asyncio

import pytest
from real import chord, dependents, mail_behind_stop, playback, slots, task_status, wake_up


@pytest.mark.parametrize("kind", [task_status.Status, task_status.RepairedStatus])
def test_a_task_that_is_done_stays_done(kind: type[task_status.Status]) -> None:
    assert task_status.run(kind) == "done"


@pytest.mark.parametrize("jobs", [dependents.Jobs, dependents.RepairedJobs])
def test_a_dependent_job_is_started(jobs: type[dependents.Jobs]) -> None:
    assert dependents.run(jobs) == 1


@pytest.mark.parametrize("kind", [mail_behind_stop.Service, mail_behind_stop.RepairedService])
def test_a_question_is_not_forgotten(kind: type[mail_behind_stop.Service]) -> None:
    assert mail_behind_stop.run(kind)


@pytest.mark.parametrize("kind", [chord.Chord, chord.RepairedChord])
def test_results_stand_in_the_order_of_their_tasks(kind: type[chord.Chord]) -> None:
    assert chord.run(kind) == ["result 0", "result 1"]


@pytest.mark.parametrize("kind", [slots.Pool, slots.RepairedPool])
def test_one_slot_is_used_once_at_a_time(kind: type[slots.Pool]) -> None:
    assert asyncio.run(slots.run(kind)) == 1


@pytest.mark.parametrize("kind", [wake_up.Box, wake_up.RepairedBox])
def test_what_is_put_is_taken(kind: type[wake_up.Box]) -> None:
    assert wake_up.run(kind) == ["thing"]


@pytest.mark.parametrize("player", [playback.Player, playback.RepairedPlayer])
def test_music_is_announced(player: type[playback.Player]) -> None:
    assert playback.run(player) == "music"
