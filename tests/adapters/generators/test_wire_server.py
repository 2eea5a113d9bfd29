"""The double itself: a test that trusts it must be able to."""

from __future__ import annotations

import contextlib
import http.client
import json
from collections.abc import Iterator

import pytest

from pincite.testing.wire_openai import openai_error, openai_stream, openai_text
from pincite.testing.wire_server import Ending, Received, Reply, WireServer, html_reply, json_reply


@contextlib.contextmanager
def posted(server: WireServer, body: object = None) -> Iterator[http.client.HTTPResponse]:
    connection = http.client.HTTPConnection("127.0.0.1", int(server.url.rsplit(":", 1)[1]), timeout=10)
    connection.request("POST", "/v1/chat", json.dumps(body or {}), {"X-Me": "1"})
    response = connection.getresponse()
    with contextlib.closing(connection), response:
        yield response


def post(server: WireServer, body: object = None) -> tuple[int, bytes]:
    with posted(server, body) as response:
        return response.status, response.read()


def test_replies_come_in_order_and_requests_are_kept() -> None:
    with WireServer(json_reply({"n": 1}), html_reply(status=502)) as server:
        assert json.loads(post(server, {"a": "ü"})[1]) == {"n": 1}
        status, body = post(server)
        assert (status, body[:9]) == (502, b"<!DOCTYPE")
        assert post(server)[0] == 500
    first = server.received[0]
    assert (first.path, first.body, first.headers["x-me"]) == ("/v1/chat", {"a": "ü"}, "1")


def test_a_function_may_answer_every_request() -> None:
    def echo(request: Received) -> Reply:
        return json_reply(request.body)

    with WireServer(always=echo) as server:
        assert [json.loads(post(server, {"n": n})[1])["n"] for n in range(3)] == [0, 1, 2]


def test_a_cut_reply_is_seen_as_cut() -> None:
    with (
        WireServer(openai_stream(["half a sen"], ending=Ending.CUT)) as server,
        pytest.raises(http.client.IncompleteRead),
    ):
        post(server)


def test_a_held_reply_waits_and_notices_the_client_that_leaves() -> None:
    with WireServer(openai_stream(["first"], ending=Ending.HELD)) as server:
        with posted(server) as response:
            assert response.readline().startswith(b"data:")
            assert not server.client_left.is_set()
        assert server.client_left.wait(10)


def test_closing_the_server_ends_what_it_holds() -> None:
    server = WireServer(openai_stream(["first"], ending=Ending.HELD))
    with server, posted(server) as response:
        response.readline()
        server.close()
        with pytest.raises(http.client.IncompleteRead):
            response.read()


def test_a_stream_may_be_cut_at_any_byte() -> None:
    whole = b"".join(openai_stream(["Größe 🙂"]).pieces)
    recut = openai_stream(["Größe 🙂"], width=3).pieces
    assert b"".join(recut) == whole
    assert {len(piece) for piece in recut[:-1]} == {3}


def test_the_shapes_are_those_of_chat_completions() -> None:
    body = json.loads(openai_text("Yes [S1].").pieces[0])
    assert body["choices"][0]["message"]["content"] == "Yes [S1]."
    assert json.loads(openai_error(429, "no", code="insufficient_quota").pieces[0])["error"]["code"]
