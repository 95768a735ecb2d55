"""The flags of ``socrates amplify`` that override settings, made of the settings' rows."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping

from socrates_amplify.settings.amplify import SETTINGS
from socrates_amplify.settings.row import Flag, Setting, Topic
from socrates_amplify.settings.values import BOOL, Argument

Group = argparse._ArgumentGroup
"""A titled part of ``--help``, to which flags are added."""


def add_flags(
    group: Group, topic: Topic, after: Mapping[str, Callable[[Group], None]] | None = None
) -> None:
    """Add the flags of all settings of a topic.

    ``after`` adds flags that are no settings, each behind the flag of the setting it is keyed by.
    """
    for setting in SETTINGS.values():
        if setting.flag is not None and setting.flag.topic is topic:
            _add(group, setting, setting.flag)
            if after and setting.key in after:
                after[setting.key](group)


def given_flags(args: argparse.Namespace) -> dict[str, object]:
    """What flags say, by the fields of ``AmplifySettings``; None where a flag was not given."""
    given: dict[str, object] = {}
    for setting in SETTINGS.values():
        if setting.flag is not None:
            value = getattr(args, setting.name)
            given[setting.name] = tuple(value) if isinstance(value, list) else value
    return given


def _add(group: Group, setting: Setting, flag: Flag) -> None:
    argument: Argument = {"dest": setting.name, "help": flag.help, **setting.type.argument}
    if flag.metavar is not None:
        argument["metavar"] = flag.metavar
    name = setting.key
    if setting.type is BOOL:
        name = f"no-{name}" if setting.written else name
        argument["action"] = "store_false" if setting.written else "store_true"
        argument["default"] = None
    group.add_argument(f"--{name}", **argument)
