"""The edge to the terminal: where text goes, in what colour and width, and a bar while we wait."""

from __future__ import annotations

import contextlib
import os
import shutil
import sys
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Protocol, TextIO

from socrates.errors import SocratesError
from socrates.findings import OWN_NAME, PluginError
from socrates.printable import one_line, visible

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

DEFAULT_WIDTH = 100
_CHUNK = 64 * 1024
"""Characters that are written at once, if there are so many."""
_LARGE = 8 * 1024 * 1024
"""Bytes of a report that may wait in memory."""
PATIENCE = 1.0
"""Seconds before a progress bar appears."""


class Stream(Protocol):
    """What we ask of a stream to decide about colour and bars."""

    def isatty(self) -> bool:
        """Whether a person is at the other end."""


def note(message: str) -> None:
    """One line on stderr, whatever the message quotes; nothing where stderr is closed."""
    text = one_line(f"socrates: {message}")
    stream: TextIO | None = sys.stderr  # None when the process was started with it closed
    if stream is None:
        return
    try:
        stream.write(_encodable(text, stream.encoding) + "\n")
        stream.flush()
    except (OSError, ValueError):
        pass  # there is nowhere left to say it


def report_failures(errors: Iterable[PluginError]) -> int:
    """Name every plugin that failed, once for each place; 2 if any did."""
    failures: dict[tuple[str, str], list[PluginError]] = {}
    for error in errors:
        failures.setdefault((error.plugin, error.location), []).append(error)
    for (plugin, location), [first, *others] in failures.items():
        more = f", and {len(others)} more" if others else ""
        who = "Socrates itself" if plugin == OWN_NAME else f"plugin {plugin!r}"
        note(f"error: {who} failed: {first.message} ({location}){more}")
    return 2 if failures else 0


def report_warnings(warnings: Iterable[str]) -> None:
    """Say what the user should know, and what changes nothing about the verdict."""
    for warning in warnings:
        note(f"warning: {warning}")


def write_lines(text: str) -> None:
    """Print lines that may quote anything; what would steer the terminal is made visible."""
    write_stdout("".join(f"{visible(line)}\n" for line in text.removesuffix("\n").split("\n")))


def write_stdout(text: str) -> bool:
    """Print text that is ready as it is, at once, whatever the encoding; False if nobody reads it.

    See ``guarded_stdout`` for what can go wrong.
    """
    stream: TextIO | None = sys.stdout  # None when the process was started with it closed
    if stream is None:
        return False
    with guarded_stdout():
        stream.write(_encodable(text, stream.encoding))
        stream.flush()
        return True
    return False


def write_pieces(pieces: Iterable[str]) -> None:
    """Print a text that comes in pieces, and stop asking for more when nobody reads it."""
    for chunk in _chunks(pieces):
        if not write_stdout(chunk):
            return


def _chunks(pieces: Iterable[str]) -> Iterator[str]:
    """The same text in pieces that are worth a call."""
    waiting: list[str] = []
    size = 0
    for piece in pieces:
        waiting.append(piece)
        size += len(piece)
        if size >= _CHUNK:
            yield "".join(waiting)
            waiting, size = [], 0
    yield "".join(waiting)


@contextlib.contextmanager
def guarded_stdout() -> Iterator[None]:
    """Write to stdout within: a reader that went away (``| head``) ends it quietly.

    Any other failure raises SocratesError. After a failure nothing is written to stdout any more,
    not even what Python has buffered and would try to write again when it ends.
    """
    try:
        yield
    except BrokenPipeError:
        _discard_rest_of(sys.stdout)
    except OSError as error:
        _discard_rest_of(sys.stdout)
        raise SocratesError(f"standard output: cannot be written: {error.strerror}") from None


def flush() -> None:
    """Write what stdout and stderr have buffered, so that Python's last flush can't fail.

    Raises SocratesError when stdout cannot be written. A stderr that cannot is left in silence.
    """
    try:
        with guarded_stdout():
            _flush(sys.stdout)
    finally:
        try:
            _flush(sys.stderr)
        except OSError:
            _discard_rest_of(sys.stderr)  # there is nowhere left to say it


def _flush(stream: TextIO | None) -> None:
    if stream is not None and not stream.closed:
        stream.flush()


def _discard_rest_of(stream: TextIO) -> None:
    """Send the rest of a stream nowhere, what is still in its buffer included."""
    try:
        target = stream.fileno()
    except (AttributeError, OSError, ValueError):
        return  # not a real file: nothing is flushed at exit
    devnull = os.open(os.devnull, os.O_WRONLY)
    os.dup2(devnull, target)
    os.close(devnull)


def write_file(name: str, pieces: Iterable[str]) -> None:
    """Write a report to a file that the user has named, in UTF-8.

    The file is opened when the report is whole: one that fails, or is interrupted, leaves it as
    it was. Until then a large report waits on disk, not in memory.
    """
    import tempfile

    try:
        with tempfile.SpooledTemporaryFile(_LARGE) as report:
            for chunk in _chunks(pieces):
                report.write(chunk.encode())
            report.seek(0)
            with Path(name).open("wb") as stream:
                shutil.copyfileobj(report, stream)
    except OSError as error:
        raise SocratesError(f"--output-file: cannot write {name}: {error.strerror}") from None


def check_writable(name: str) -> None:
    """Complain before a long run, not after it."""
    path = Path(name)
    if path.is_dir():
        raise SocratesError(f"--output-file: {name} is a folder; give a file")
    if not path.absolute().parent.is_dir():
        raise SocratesError(f"--output-file: the folder of {name} does not exist; make it first")
    if not os.access(path if path.exists() else path.absolute().parent, os.W_OK):
        raise SocratesError(f"--output-file: cannot write {name}: no permission")


def wants_color(choice: str, stream: Stream | None) -> bool:
    """``--color``, then NO_COLOR and FORCE_COLOR, then whether it is a terminal that can."""
    if choice != "auto":
        return choice == "always"
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR"):
        return True
    return is_terminal(stream) and os.environ.get("TERM") != "dumb"


def width(stream: Stream | None) -> int:
    """The columns to print in."""
    if is_terminal(stream) or os.environ.get("COLUMNS"):
        return max(shutil.get_terminal_size((DEFAULT_WIDTH, 24)).columns, 40)
    return DEFAULT_WIDTH


class ProgressBar:
    """A bar on stderr for people who wait: only on a terminal, only after a second."""

    def __init__(self, enabled: bool, patience: float = PATIENCE) -> None:
        self._enabled = enabled and is_terminal(sys.stderr)
        self._patience = patience
        self._started = time.monotonic()
        self._bar: Progress | None = None
        self._task: TaskID | None = None

    def __enter__(self) -> ProgressBar:
        return self

    def __call__(self, done: int, total: int, name: str) -> None:
        """Tell how far we are. Cheap until the bar shows."""
        if not self._enabled or time.monotonic() - self._started < self._patience:
            return
        if self._bar is None:
            self._bar, self._task = _start_bar(total)
        if self._task is not None:
            shown = one_line(Path(name).name)
            self._bar.update(self._task, completed=done, total=total, name=shown)

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._bar is not None:
            self._bar.stop()


def is_terminal(stream: Stream | None) -> bool:
    """Whether a person is at the other end of a stream, which may be closed."""
    return stream is not None and stream.isatty()


def _start_bar(total: int) -> tuple[Progress, TaskID]:
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

    bar = Progress(
        TextColumn("checking"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[name]}", markup=False),
        console=Console(stderr=True),
        transient=True,
    )
    task = bar.add_task("checking", total=total, name="")
    bar.start()
    return bar, task


def _encodable(text: str, encoding: str | None) -> str:
    """The text with what the stream can't say replaced by escapes."""
    codec = encoding or "utf-8"
    return text.encode(codec, "backslashreplace").decode(codec)
