"""Which versions of a framework a probe knows. Read from metadata; nothing is imported."""

from __future__ import annotations

import importlib.metadata
import importlib.util
import sys

from socrates.classes.lazy import dataclass


@dataclass(frozen=True, slots=True)
class SupportedVersions:
    """A module, the distribution that it comes from, and the major versions that are known."""

    module: str
    distribution: str
    majors: tuple[int, ...]

    def present(self) -> bool:
        """Whether the module can be imported at all."""
        return self.module in sys.modules or importlib.util.find_spec(self.module) is not None

    def unfit(self) -> str:
        """Why the probe can't handle the installed version; empty when it can, or none is installed."""
        if not self.present():
            return ""
        try:
            version = importlib.metadata.version(self.distribution)
        except importlib.metadata.PackageNotFoundError:
            return f"{self.module} has no version; its messages are left alone"
        major = version.partition(".")[0]
        if major.isdigit() and int(major) in self.majors:
            return ""
        known = " and ".join(f"{number}.x" for number in self.majors)
        return (
            f"{self.distribution} {version} is not known ({known} is); its messages are left alone"
        )
