"""What a child process of the test is handling: the test knows it by a token."""

from __future__ import annotations

from socrates_amplify.record.messages import Phase

_PHASE = "+"


class Handled:
    """A message or a call that the test knows; this process has only its token."""

    __slots__ = ("token",)

    def __init__(self, token: str) -> None:
        self.token = token


def token_of(context: object) -> str:
    """The token of a context; empty for none, and for a context without a token."""
    if isinstance(context, Phase):
        token = token_of(context.sent)
        return f"{token}{_PHASE}{context.name}" if token else ""
    return getattr(context, "token", "")


def parts_of(token: str) -> tuple[str, str]:
    """The token of a message, and the name of its phase, which may be empty."""
    message, _, phase = token.partition(_PHASE)
    return message, phase
