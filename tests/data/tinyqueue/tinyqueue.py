"""A task queue in a folder: one file per job, handled in the order of sending, removed when done.

``python -m tinyqueue FOLDER`` is a worker. A task is named ``module:function``.
"""

from __future__ import annotations

import importlib
import json
import sys
import time
import uuid
from dataclasses import dataclass, field
from pathlib import Path


@dataclass(frozen=True)
class Job:
    """A task to be done, with its arguments."""

    task: str
    args: tuple[object, ...]
    id: str = field(default_factory=lambda: f"{time.time_ns():020}-{uuid.uuid4().hex}")

    def run(self) -> object:
        """Do the task."""
        module, _, name = self.task.partition(":")
        return getattr(importlib.import_module(module), name)(*self.args)


@dataclass(frozen=True)
class Queue:
    """A folder with jobs."""

    folder: Path

    def send(self, job: Job) -> None:
        """Put a job into the queue."""
        part = self.folder / f"{job.id}.part"
        part.write_text(json.dumps([job.task, job.args]))
        part.rename(self.folder / f"{job.id}.job")

    def waiting(self) -> list[Job]:
        """The jobs that are not done, in order."""
        found = sorted(self.folder.glob("*.job"))
        texts = [(path.stem, json.loads(path.read_text())) for path in found]
        return [Job(task, tuple(args), name) for name, (task, args) in texts]

    def perform(self, job: Job) -> None:
        """Do a job, then take it out of the queue: a worker that dies before does it again."""
        job.run()
        (self.folder / f"{job.id}.job").unlink()

    def put_aside(self, job: Job) -> None:
        """Give a job up."""
        (self.folder / f"{job.id}.job").rename(self.folder / f"{job.id}.dead")


def work(queue: Queue) -> None:
    """Do jobs for ever."""
    while True:
        for job in queue.waiting():
            queue.perform(job)
        time.sleep(0.01)


if __name__ == "__main__":
    # By its name, so that the module is the one that everybody else imports.
    import tinyqueue

    tinyqueue.work(tinyqueue.Queue(Path(sys.argv[1])))
