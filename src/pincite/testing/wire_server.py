"""A real HTTP server on loopback that says what it was told to say: for tests of hosted adapters, and for the docs.

It speaks no provider's language by itself: ``wire_openai`` (and others beside it) build the replies. A script may be
wrong on purpose: cut in the middle, held back until the client gives up, a web page, bytes of any kind.

Example:
    with WireServer(openai_text("Thirty days [S1].")) as server:
        generator = OpenAIGenerator(GenerateSettings(model="m", base_url=f"{server.url}/v1"))
"""

from __future__ import annotations

import json
import socket
import threading
from dataclasses import dataclass, field
from enum import StrEnum
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any, Self

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from types import TracebackType


class Ending(StrEnum):
    """What happens after the last piece.

    WHOLE: the reply ends as it should. CUT: the connection closes although more was announced. HELD: nothing more is
    sent, and the connection stays open until the client leaves or the server is closed.
    """

    WHOLE = "whole"
    CUT = "cut"
    HELD = "held"


@dataclass(frozen=True, kw_only=True, slots=True)
class Reply:
    """One scripted answer. Each piece is sent by itself, so a character may be split between two."""

    pieces: tuple[bytes, ...] = ()
    status: int = 200
    media_type: str = "application/json"
    headers: Mapping[str, str] = field(default_factory=dict)
    ending: Ending = Ending.WHOLE


@dataclass(frozen=True, kw_only=True, slots=True)
class Received:
    """One request as it came in. ``body`` is the parsed JSON, ``headers`` have lower-case names."""

    method: str
    path: str
    headers: Mapping[str, str]
    body: Any


def json_reply(body: object, *, status: int = 200, headers: Mapping[str, str] | None = None) -> Reply:
    """A whole JSON answer."""
    return Reply(pieces=(json.dumps(body).encode(),), status=status, headers=headers or {})


def html_reply(text: str = "<!DOCTYPE html><html><body>Sign in</body></html>", *, status: int = 200) -> Reply:
    """What a proxy or a wrong address sends."""
    return Reply(pieces=(text.encode(),), status=status, media_type="text/html")


class WireServer:
    """Gives the replies in order, one a request; a request beyond the last gets status 500 that says so.

    With ``always`` every request is answered by that function instead. ``received`` holds the requests in order.
    ``client_left`` is set when a client closed its connection during a HELD reply.
    """

    def __init__(self, *replies: Reply, always: Callable[[Received], Reply] | None = None) -> None:
        self.received: list[Received] = []
        self.client_left = threading.Event()
        self._replies = list(replies)
        self._always = always
        self._lock = threading.Lock()
        self._connections: set[socket.socket] = set()
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), _handler_of(self))
        self._server.daemon_threads = False  # so that closing waits until each has closed its socket
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)

    @property
    def url(self) -> str:
        """Scheme, loopback address and port, without a path."""
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, exc: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Stop listening and end what is still held open; a second time does nothing."""
        if not self._thread.is_alive():
            return
        self._server.shutdown()
        self._thread.join()
        with self._lock:
            for connection in self._connections:
                _hang_up(connection)
        self._server.server_close()

    def next_reply(self, request: Received) -> Reply:
        """Note the request and say what to answer."""
        with self._lock:
            self.received.append(request)
            if self._always is None:
                if self._replies:
                    return self._replies.pop(0)
                return json_reply({"error": {"message": "the script has no more replies"}}, status=500)
        return self._always(request)

    def opened(self, connection: socket.socket) -> None:
        """A connection to end when the server closes."""
        with self._lock:
            self._connections.add(connection)

    def ended(self, connection: socket.socket) -> None:
        """A connection that is gone."""
        with self._lock:
            self._connections.discard(connection)


def _hang_up(connection: socket.socket) -> None:
    try:
        connection.shutdown(socket.SHUT_RDWR)
    except OSError:
        return  # it is gone already


class _Handler(BaseHTTPRequestHandler):
    """One connection; HTTP/1.1 so that streams are chunked and a cut is seen as one."""

    protocol_version = "HTTP/1.1"
    owner: WireServer

    def setup(self) -> None:
        super().setup()
        self.owner.opened(self.connection)

    def finish(self) -> None:
        self.owner.ended(self.connection)
        super().finish()

    def do_POST(self) -> None:
        self._answer()

    def do_GET(self) -> None:
        self._answer()

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the name is the standard library's
        """Say nothing: a test server has no log."""

    def _answer(self) -> None:
        data = self.rfile.read(int(self.headers.get("content-length") or 0))
        headers = {name.lower(): value for name, value in self.headers.items()}
        body = json.loads(data) if data else None
        reply = self.owner.next_reply(Received(method=self.command, path=self.path, headers=headers, body=body))
        try:
            self._send(reply)
        except (BrokenPipeError, ConnectionResetError):
            self.owner.client_left.set()
            self.close_connection = True

    def _send(self, reply: Reply) -> None:
        self.send_response(reply.status)
        self.send_header("content-type", reply.media_type)
        self.send_header("transfer-encoding", "chunked")
        for name, value in reply.headers.items():
            self.send_header(name, value)
        self.end_headers()
        for piece in reply.pieces:
            if piece:
                self.wfile.write(f"{len(piece):x}\r\n".encode() + piece + b"\r\n")
                self.wfile.flush()
        self._end(reply.ending)

    def _end(self, ending: Ending) -> None:
        match ending:
            case Ending.WHOLE:
                self.wfile.write(b"0\r\n\r\n")
            case Ending.CUT:
                self.close_connection = True
                _hang_up(self.connection)
            case Ending.HELD:
                self.close_connection = True
                self._wait_until_the_client_leaves()

    def _wait_until_the_client_leaves(self) -> None:
        """Blocks in ``recv``: it returns nothing when either side has closed the connection."""
        try:
            while self.connection.recv(1024):
                pass
        except OSError:
            pass  # reset: the client is gone all the same
        self.owner.client_left.set()


def _handler_of(server: WireServer) -> type[_Handler]:
    return type("Handler", (_Handler,), {"owner": server})
