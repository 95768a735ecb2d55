"""Makes the options of the executor for clusters from the settings. Does not import Ray."""

from __future__ import annotations

from pathlib import Path

from socrates.errors import SocratesError
from socrates.files import reading
from socrates_amplify.executors.base import ClusterOptions
from socrates_amplify.executors.ray.shipping import parse_size
from socrates_amplify.settings.amplify import AmplifySettings


def cluster_options(settings: AmplifySettings, cwd: Path) -> ClusterOptions:
    """The options. Raises SocratesError for settings that need another executor."""
    if settings.executor != "ray":
        for flag, given in (("--address", settings.address), ("--pip", settings.pip)):
            if given:
                raise SocratesError(f"{flag} is for --executor ray; add that, or leave it out")
    return ClusterOptions(
        settings.address,
        _requirements(cwd / settings.pip) if settings.pip else (),
        parse_size(settings.ship_limit, "--ship-limit"),
    )


def _requirements(path: Path) -> tuple[str, ...]:
    try:
        text = reading.read_text(path, reading.LARGEST_SETTINGS)
    except (reading.Unreadable, UnicodeDecodeError) as error:
        raise SocratesError(f"--pip: cannot read {path}: {error}") from None
    lines = (line.partition(" #")[0].strip() for line in text.splitlines())
    found = tuple(line for line in lines if line and not line.startswith("#"))
    if not found:
        raise SocratesError(f"--pip: {path} names nothing to install")
    return found
