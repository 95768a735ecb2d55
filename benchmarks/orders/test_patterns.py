"""Patterns of the paper's four large subjects, whose bugs it does not describe, as they are and repaired."""

from __future__ import annotations

import pytest
from paper import connection, replies, signals, tiles


@pytest.mark.parametrize("kind", [signals.Coordinator, signals.RepairedCoordinator])
def test_every_vertex_is_visited(kind: type[signals.Coordinator]) -> None:
    assert signals.run(kind) == signals.HOPS


@pytest.mark.parametrize("kind", [connection.Connection, connection.RepairedConnection])
def test_a_request_is_answered(kind: type[connection.Connection]) -> None:
    assert connection.run(kind) == "green"


@pytest.mark.parametrize("kind", [replies.Replies, replies.RepairedReplies])
def test_clients_get_their_own_replies(kind: type[replies.Replies]) -> None:
    assert replies.run(kind) == [("ada", "ada"), ("bob", "bob")]


@pytest.mark.parametrize("kind", [tiles.Picture, tiles.RepairedPicture])
def test_tiles_lie_where_they_belong(kind: type[tiles.Picture]) -> None:
    assert tiles.run(kind) == ["RED", "GREEN", "BLUE"]
