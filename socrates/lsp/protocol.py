"""pygls' protocol, mended where a long session or a bad client would harm it."""

from __future__ import annotations

import uuid
from collections import deque
from collections.abc import Callable, Generator
from concurrent.futures import Future
from typing import Any

from lsprotocol import types
from pygls.exceptions import JsonRpcException
from pygls.protocol import LanguageServerProtocol
from pygls.protocol.language_server import lsp_method

LONGEST_MEMORY = 64
"""How much is kept of what a client never answers."""

_METHODS = tuple(types.METHOD_TO_TYPES)
"""A tuple, since what a client sends in place of a method may be anything."""

_Handled = Generator[tuple[Callable[..., Any], tuple[Any, ...], None], Any, None]


class Protocol(LanguageServerProtocol):
    """The protocol of one connection.

    Guarantees: a handler that is done leaves nothing behind; requests that the client does not
    answer take a bounded amount of memory; a request whose parameters make no sense is answered.

    Texts are kept by our own handlers alone: pygls 2.1 would keep a second copy of each, and takes
    U+2028 and form feeds for ends of lines when it changes it.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._asked: deque[int | str] = deque()

    def _execute_handler(
        self,
        msg_id: int | str,
        handler: Callable[..., Any],
        callback: Callable[[Future[Any]], Any],
        args: tuple[Any, ...] | None = None,
        kwargs: dict[str, Any] | None = None,
    ) -> None:
        """Run a handler and forget its future once it is done.

        pygls 2.1 forgets those of requests only: every notification would leave its futures, one
        for pygls' own handler and one for ours, with all that they hold, in ``_request_futures``.
        """

        def done(future: Future[Any]) -> None:
            self._request_futures.pop(msg_id, None)
            callback(future)

        super()._execute_handler(msg_id, handler, done, args, kwargs)

    def send_request(
        self,
        method: str,
        params: Any | None = None,
        callback: Callable[[Any], None] | None = None,
        msg_id: int | str | None = None,
    ) -> Future[Any]:
        """Ask the client; the oldest of many requests without an answer are forgotten."""
        number = str(uuid.uuid4()) if msg_id is None else msg_id
        self._asked.append(number)
        while len(self._asked) > LONGEST_MEMORY:
            oldest = self._asked.popleft()
            self._request_futures.pop(oldest, None)
            self._result_types.pop(oldest, None)
        return super().send_request(method, params, callback, number)

    def structure_message(self, data: dict[str, Any]) -> Any:
        """The message as an object. A request that is none is refused by its id.

        pygls 2.1 takes a message of an unknown method for one with parameters.
        """
        if "method" in data and data["method"] not in _METHODS:
            data = {"params": None, **data}
        try:
            return super().structure_message(data)
        except JsonRpcException as error:
            if "method" in data and isinstance(data.get("id"), (int, str)):
                self._send_response(data["id"], None, error.to_response_error())
            raise

    @lsp_method(types.TEXT_DOCUMENT_DID_OPEN)
    def lsp_text_document__did_open(self, params: types.DidOpenTextDocumentParams) -> _Handled:
        """Hand an opened text to our handler."""
        yield self._own(types.TEXT_DOCUMENT_DID_OPEN), (params,), None

    @lsp_method(types.TEXT_DOCUMENT_DID_CHANGE)
    def lsp_text_document__did_change(self, params: types.DidChangeTextDocumentParams) -> _Handled:
        """Hand changes of a text to our handler."""
        yield self._own(types.TEXT_DOCUMENT_DID_CHANGE), (params,), None

    @lsp_method(types.TEXT_DOCUMENT_DID_CLOSE)
    def lsp_text_document__did_close(self, params: types.DidCloseTextDocumentParams) -> _Handled:
        """Hand the end of a text to our handler."""
        yield self._own(types.TEXT_DOCUMENT_DID_CLOSE), (params,), None

    def _own(self, name: str) -> Callable[..., Any]:
        handler: Callable[..., Any] = self.fm.features[name]
        return handler
