"""Calls of unknown methods: the error has the caller's protocol, after the whole body was read."""

from __future__ import annotations

from typing import Any

import httpx
import pytest
from portico_fakes.management_api import read_connect, read_grpc_web

pytestmark = pytest.mark.servers

KNOWN = "/portico.user.v2.UserService/AddHumanUser"
UNKNOWN = {
    "unknown service": "/portico.user.v2.NoSuchService/AddHumanUser",
    "unknown package": "/someone.elses.v1.Service/Method",
    "unknown method": "/portico.user.v2.UserService/NoSuchMethod",
    "other case": "/portico.user.v2.UserService/addHumanUser",
    "no method": "/portico.user.v2.UserService",
    "empty method": "/portico.user.v2.UserService/",
    "slash too many": "/portico.user.v2.UserService//AddHumanUser",
    "segment too many": "/portico.user.v2.UserService/AddHumanUser/x",
    "not UTF-8": "/portico.user.v2.UserService/%ff%fe",
    "no name": "/portico.",
}
VERBS = ("POST", "GET", "PUT", "DELETE", "PATCH", "OPTIONS")
FRAME = b"\x00\x00\x00\x00\x00"


async def _ask(managed: Any, verb: str, path: str, media: str, content: bytes) -> httpx.Response:
    headers = {"Content-Type": media}
    if not path.startswith("/portico.") and "grpc" not in media:
        headers["Connect-Protocol-Version"] = "1"
    # GET has no body: an unexpected one is refused before anything else (IN-01).
    body = {} if verb == "GET" else {"content": content}
    answer: httpx.Response = await managed.api.http.request(verb, path, headers=headers, **body)
    return answer


@pytest.mark.parametrize("media", ["application/json", "application/proto", "application/connect+proto"])
async def test_unknown_connect_method(managed: Any, media: str) -> None:
    """The response is HTTP 404 with the JSON code ``unimplemented``, also for streams, as Connect clients expect."""
    for what, path in UNKNOWN.items():
        for verb in VERBS:
            answer = await _ask(managed, verb, path, media, b"{")

            assert answer.status_code == 404, (what, verb)
            assert answer.headers["Content-Type"] == "application/json"
            assert answer.json()["code"] == "unimplemented"
            assert answer.json()["message"] == "Unknown method. (USER-866)"
            assert read_connect(answer).error_code == "USER-866"


@pytest.mark.parametrize("media", ["application/grpc", "application/grpc+proto", "application/grpc-web+proto"])
async def test_unknown_grpc_method(managed: Any, media: str) -> None:
    """The response is HTTP 200, Trailers-Only, with UNIMPLEMENTED and its details."""
    for what, path in UNKNOWN.items():
        for verb in VERBS:
            answer = await _ask(managed, verb, path, media, FRAME)
            api_response = read_grpc_web("", answer)

            assert answer.status_code == 200, (what, verb)
            assert answer.headers["Content-Type"] == media
            assert answer.headers["grpc-status"] == "12"
            assert answer.headers["grpc-message"] == "Unknown method. (USER-866)"
            assert (api_response.code, api_response.error_code) == (12, "USER-866")
            assert answer.content == b""


@pytest.mark.parametrize("verb", VERBS[1:])
async def test_known_method_accepts_only_post(managed: Any, verb: str) -> None:
    """Connect returns 405 with Allow and a string code; gRPC and gRPC-web return status 12."""
    connect = await _ask(managed, verb, KNOWN, "application/json", b"{}")
    calls = [await _ask(managed, verb, KNOWN, media, FRAME) for media in ("application/grpc", "application/grpc-web")]

    assert (connect.status_code, connect.headers["Allow"]) == (405, "POST")
    assert connect.json()["code"] == "unimplemented"
    assert read_connect(connect).error_code == "PORT-003"
    for call in calls:
        assert (call.status_code, call.headers["grpc-status"]) == (200, "12")
        assert read_grpc_web("", call).error_code == "PORT-003"


async def test_unknown_media_type(managed: Any) -> None:
    """Connect's code for an unsupported media type is ``invalid_argument``, with HTTP 415."""
    answer = await _ask(managed, "POST", KNOWN, "text/plain", b"x")

    assert answer.status_code == 415
    assert answer.json()["code"] == "invalid_argument"
    assert read_connect(answer).error_code == "USER-863"


async def test_body_of_an_unknown_method_is_read_up_to_the_limit(managed: Any) -> None:
    """The body is read before the response, so that the connection stays open, up to 2 MiB (RX-01, IN-01)."""
    taken: list[int] = []

    async def body(pieces: int) -> Any:
        for _ in range(pieces):
            taken.append(1)
            yield b"x" * 65_536

    answers = []
    for pieces in (32, 33):
        taken.clear()
        answer = await managed.api.http.post(
            UNKNOWN["unknown method"], content=body(pieces), headers={"Content-Type": "application/json"}
        )
        answers.append((answer.status_code, answer.json()["code"], len(taken)))

    assert answers == [(404, "unimplemented", 32), (413, "invalid_argument", 33)]


async def test_error_of_an_unknown_method_is_translated(managed: Any) -> None:
    """In gRPC the message is percent-encoded UTF-8, in Connect it is JSON."""
    headers = {"Accept-Language": "fr", "Content-Type": "application/grpc-web"}
    call = await managed.api.http.post(UNKNOWN["unknown method"], content=FRAME, headers=headers)
    connect = await managed.api.http.post(UNKNOWN["unknown method"], json={}, headers={"Accept-Language": "fr"})

    assert call.headers["grpc-message"].isascii()
    assert call.headers["grpc-message"].endswith("n%E2%80%99existe pas. (USER-866)")
    assert connect.json()["message"].endswith("n’existe pas. (USER-866)")


async def test_other_unknown_paths(managed: Any) -> None:
    """Unknown JSON API paths return google.rpc.Status, all others OAuth JSON; only calls get RPC errors."""
    of_json = await managed.api.http.post("/v2/nothing", json={})
    of_nobody = await managed.api.http.post("/nothing", json={})

    assert (of_json.status_code, of_json.json()["code"]) == (404, 5)
    assert (of_nobody.status_code, of_nobody.json()["error"]) == (404, "invalid_request")
