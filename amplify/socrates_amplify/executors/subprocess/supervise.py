"""Stands between the subprocess executor and one pytest process: ``supervise PID COMMAND``.

It adopts daemons and orphans of the test and kills them at its end, passes the alarm on, and is the
parent that a test kills which kills its parent. It writes the pytest process's id to the file
``PID``. Its standard input is a pipe that is never written to: when it closes, the executor is gone,
however it ended, and the supervisor ends the test.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from pathlib import Path
from types import FrameType

from socrates_amplify.executors import reaping
from socrates_amplify.executors.alarm import ALARM


def main(pid_file: str, *command: str) -> int:
    """Run the command, end all that it left behind, and give back its exit code."""
    reaping.adopt_orphans()
    process = subprocess.Popen(command, stdin=subprocess.DEVNULL, start_new_session=True)
    Path(pid_file).write_text(str(process.pid))

    def pass_on(signum: int, frame: FrameType | None) -> None:
        os.kill(process.pid, ALARM)

    def end_with_the_starter() -> None:
        # Not through ``sys.stdin``, whose lock the interpreter wants when it ends.
        os.read(0, 1)
        reaping.kill_group(process.pid)

    signal.signal(ALARM, pass_on)
    threading.Thread(target=end_with_the_starter, daemon=True).start()
    code = process.wait()
    reaping.kill_group(process.pid)
    reaping.kill_orphans(keep=())
    return code


if __name__ == "__main__":
    ended = main(*sys.argv[1:])
    if ended < 0:
        # Die of the same signal, so that the executor sees it in the exit code.
        if -ended != signal.SIGKILL:
            signal.signal(-ended, signal.SIG_DFL)
        os.kill(os.getpid(), -ended)
    sys.exit(ended)
