"""Seals on results: with a key in ``SOCRATES_STORE_KEY``, a store from elsewhere can't claim any.

A seal binds an outcome to its test, its code and its scenario. With a key, results without a valid
seal are asked again; without one, nothing is sealed and the digest of the code decides alone.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import os
from collections.abc import Mapping

from socrates.classes.lazy import dataclass

VARIABLE = "SOCRATES_STORE_KEY"
FIELD = "seal"


@dataclass(frozen=True, slots=True)
class Sealer:
    """Seals with ``key``; does nothing, and takes everything, when that is empty."""

    key: bytes = b""

    @classmethod
    def of_environment(cls) -> Sealer:
        """With the key that the user has given."""
        return cls(os.environ.get(VARIABLE, "").encode("utf-8", "surrogateescape"))

    def sealed(self, document: dict[str, object], *place: str) -> dict[str, object]:
        """The document with its seal for this place."""
        return document | {FIELD: self._seal(document, place)} if self.key else document

    def holds(self, document: object, *place: str) -> bool:
        """Whether the document was sealed with this key for this place."""
        if not self.key:
            return True
        if not isinstance(document, Mapping) or not isinstance(document.get(FIELD), str):
            return False
        rest = {name: value for name, value in document.items() if name != FIELD}
        told = str(document[FIELD]).encode("utf-8", "surrogatepass")
        return hmac.compare_digest(self._seal(rest, place).encode(), told)

    def _seal(self, document: Mapping[str, object], place: tuple[str, ...]) -> str:
        text = json.dumps([place, document], separators=(",", ":"))
        return hmac.new(self.key, text.encode(), hashlib.sha256).hexdigest()
