"""What messages and replies say: a readable form, and a digest; remembered for what is said again."""

from __future__ import annotations

from socrates_amplify.model.secrets import without_secrets
from socrates_amplify.record.harmless import harmless
from socrates_amplify.record.identity import StandIn, canonical, cut, digest, scrub, short
from socrates_amplify.record.snapshot import snapshot

_NEVER_REFERENCES = frozenset({dict, str, int, float, bool, type(None)})


class Sayings:
    """Those of one run. ``name_of`` names a live reference for people, ``key_of`` for digests."""

    def __init__(self, name_of: StandIn, key_of: StandIn) -> None:
        self._name_of = name_of
        self._key_of = key_of
        self._said: dict[int, tuple[object, str, str]] = {}
        self._texts: dict[str, tuple[str, str]] = {}

    def forget(self) -> None:
        """Let go of all messages."""
        self._said.clear()

    def digest(self, value: object) -> str:
        """The digest alone."""
        return digest(canonical(value, self._key_of), 8)

    def value(self, value: object) -> tuple[str, str]:
        """Of any value."""
        return self._at_once(value) or (short(value, self._name_of), self.digest(value))

    def _at_once(self, value: object) -> tuple[str, str] | None:
        """Of a value that is no reference, and need not be looked at closely."""
        quick = harmless(value)
        if quick is None:
            return None
        if type(value) not in _NEVER_REFERENCES and self._key_of(value) is not None:
            return None
        return quick[0], digest(quick[1], 8)

    def message(self, content: object) -> tuple[str, str]:
        """Of a message, which may be passed on as it is."""
        quick = self._at_once(content)
        if quick is not None:
            return quick
        known = self._said.get(id(content))
        if known is not None and known[0] is content:
            return known[1], known[2]
        label, found = short(content, self._name_of), self.digest(content)
        if snapshot(content) is content:
            self._said[id(content)] = (content, label, found)
        return label, found

    def text(self, text: str) -> tuple[str, str]:
        """Of a text; services say the same thing often."""
        known = self._texts.get(text)
        if known is None:
            clean = scrub(text)
            known = self._texts[text] = (cut(without_secrets(clean)), digest(clean, 8))
        return known
