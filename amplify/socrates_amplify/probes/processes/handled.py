"""What is being handled in a process of its own: the test knows it by a token."""

from __future__ import annotations

from socrates_amplify.record.messages import Phase

_PHASE = "+"


class Handled:
    """A message or a call of the test's side, of which only the token is known here."""

    __slots__ = ("token",)

    def __init__(self, token: str) -> None:
        self.token = token


def token_of(context: object) -> str:
    """The token of what is being handled; empty for nothing, and for what has none."""
    if isinstance(context, Phase):
        token = token_of(context.sent)
        return f"{token}{_PHASE}{context.name}" if token else ""
    return getattr(context, "token", "")


def parts_of(token: str) -> tuple[str, str]:
    """The token of a message, and the name of the phase of it that is meant."""
    message, _, phase = token.partition(_PHASE)
    return message, phase
