"""Mistakes from a set that was written without a look at ours, as they are and repaired."""

from __future__ import annotations

import pytest
import strangers


@pytest.mark.parametrize("client", [strangers.Lazy, strangers.RepairedLazy])
def test_one_connection_is_made(client: type[strangers.Lazy]) -> None:
    assert strangers.connections(client) == 1


@pytest.mark.parametrize("pool", [strangers.Lending, strangers.RepairedLending])
def test_every_query_is_served(pool: type[strangers.Lending]) -> None:
    assert strangers.served(pool) == ["one", "two"]


@pytest.mark.parametrize("indexer", [strangers.Indexer, strangers.RepairedIndexer])
def test_every_document_is_indexed(indexer: type[strangers.Indexer]) -> None:
    assert strangers.indexed(indexer) == 2


@pytest.mark.parametrize("viewer", [strangers.Viewer, strangers.RepairedViewer])
def test_frames_are_shown_in_order(viewer: type[strangers.Viewer]) -> None:
    assert strangers.frames(viewer) == ["A", "B"]
