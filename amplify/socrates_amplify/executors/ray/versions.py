"""What a Python has installed. Sent to nodes by value, so it imports nothing of ours."""

from __future__ import annotations

import re

_VERSIONS = re.compile(r"Ray: (\S+)\s+Python: (\S+)")


def about_here() -> dict[str, object]:
    """The interpreter, Socrates and all distributions of this process."""
    import importlib.metadata
    import platform

    try:
        import socrates

        version = str(socrates.__version__)
    except Exception:
        # Missing or broken: either way the node can't be used.
        version = ""
    return {
        "python": f"{platform.python_implementation()} {'.'.join(platform.python_version_tuple()[:2])}",
        "socrates": version,
        "packages": {
            str(found.metadata["Name"]).lower().replace("_", "-"): found.version
            for found in importlib.metadata.distributions()
            if found.metadata["Name"]
        },
        "plugins": sorted(
            {
                str(entry.dist.metadata["Name"]).lower().replace("_", "-")
                for entry in importlib.metadata.entry_points(group="pytest11")
                if entry.dist is not None
            }
        ),
    }


def difference(here: dict[str, object], there: dict[str, object]) -> str:
    """Why results of a node may differ from results here, or empty.

    What is installed here but not there counts only for plugins of pytest: whatever the tests
    import and do not find is told when they are collected.
    """
    if here["python"] != there["python"]:
        return f"has {there['python']}, here it is {here['python']}"
    if here["socrates"] != there["socrates"]:
        found = f"Socrates {there['socrates']}" if there["socrates"] else "no Socrates"
        return f"has {found}, here it is {here['socrates']}"
    ours, theirs = here["packages"], there["packages"]
    plugins = here["plugins"]
    assert isinstance(ours, dict)
    assert isinstance(theirs, dict)
    assert isinstance(plugins, list)
    other = [
        f"{name} {theirs.get(name, 'missing')} instead of {version}"
        for name, version in sorted(ours.items())
        if theirs.get(name, version if name not in plugins else "missing") != version
    ]
    if not other:
        return ""
    more = f" and {len(other) - 3} more" if len(other) > 3 else ""
    return f"has {', '.join(other[:3])}{more}"


def mismatch(said: str) -> str:
    """Ray's error about a cluster with other versions, on one line; empty for other errors."""
    found = _VERSIONS.findall(said)
    if len(found) != 2:
        return ""
    there, here = (f"Ray {ray} on Python {python}" for ray, python in found)
    return f"the cluster has {there}, here it is {here}; run Socrates with the same as the cluster"
