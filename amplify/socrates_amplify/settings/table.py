"""The table ``[tool.socrates.amplify]`` of a settings file: its keys, and what it says."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from types import MappingProxyType

from socrates.errors import SocratesError
from socrates.spelling import did_you_mean
from socrates_amplify.settings import circumstances, circumstances_table
from socrates_amplify.settings.amplify import SETTINGS, AmplifySettings

OPTIONS = tuple(setting.option for setting in SETTINGS.values())
"""The keys for ``socrates config`` and the documentation."""


def read_table(table: Mapping[str, object]) -> AmplifySettings:
    """The settings that ``table`` makes; a sub-table belongs to the probe of its name.

    What ``OPTIONS`` lists as a default means just that. An unknown key or a wrong type is one line
    that names it and the nearest valid spelling.
    """
    values: dict[str, object] = {}
    probes: dict[str, Mapping[str, object]] = {}
    for key, value in table.items():
        if key in SETTINGS and not isinstance(value, Mapping):
            values[SETTINGS[key].name] = SETTINGS[key].read(value)
        elif isinstance(value, Mapping):
            if key == circumstances.TABLE:
                circumstances_table.read_table(value)
            probes[key] = MappingProxyType(dict(value))
        else:
            raise SocratesError(f"{key}: unknown key{did_you_mean(key, SETTINGS)}")
    return dataclasses.replace(
        AmplifySettings(),
        probes=MappingProxyType(probes),
        **values,  # type: ignore[arg-type]
    )
