"""HTTP errors: media types, methods, sizes, paths, headers (RX-01, RX-02, RX-10, RX-12, MG-19)."""

from __future__ import annotations

from typing import Any

import httpx
import pytest
from portico_fakes.management_api import ApiResponse, read_connect, read_grpc_web, read_json

pytestmark = pytest.mark.servers

ADD = "/v2/users/human"
RPC_NAME = "portico.user.v2.UserService.AddHumanUser"
RPC = "/portico.user.v2.UserService/AddHumanUser"


async def _post(managed: Any, content: bytes, path: str = ADD, **headers: str) -> httpx.Response:
    sent = {"Authorization": f"Bearer {managed.tokens['owner']}", "Content-Type": "application/json"}
    answer: httpx.Response = await managed.api.http.post(path, content=content, headers=sent | headers)
    return answer


def _read(answer: httpx.Response) -> ApiResponse:
    return read_json(answer) if isinstance(answer.json()["code"], int) else read_connect(answer)


def _is_status(answer: httpx.Response, code: int) -> bool:
    body = answer.json()
    assert set(body) == {"code", "message", "details"}
    assert body["details"][0]["@type"] == "type.googleapis.com/portico.v1.ErrorDetail"
    assert set(body["details"][0]) == {"@type", "id", "message"}
    assert answer.headers["Content-Type"] == "application/json"
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert answer.headers["Cache-Control"] == "no-store"
    return bool(body["code"] == code)


@pytest.mark.parametrize(
    "media", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"]
)
async def test_another_media_type_is_refused(managed: Any, media: str) -> None:
    """JSON endpoints accept only the media type of JSON."""
    answer = await _post(managed, b"{}", **{"Content-Type": media})

    assert answer.status_code == 415
    assert _is_status(answer, 3)


async def test_compressed_body_is_refused(managed: Any) -> None:
    """A compressed body is refused without being decompressed."""
    answer = await _post(managed, b"{}", **{"Content-Encoding": "gzip"})

    assert answer.status_code == 415


async def test_body_over_two_mebibytes_is_refused(managed: Any) -> None:
    """Code 3, with or without a Content-Length."""
    answer = await _post(managed, b" " * (2 * 1024 * 1024 + 1))

    assert answer.status_code == 413
    assert _is_status(answer, 3)


async def test_wrong_method_returns_the_allowed_ones(managed: Any) -> None:
    """The response is 405 with Allow, and code 12."""
    answer = await managed.api.http.put(ADD)

    assert answer.status_code == 405
    assert answer.headers["Allow"] == "POST"
    assert _is_status(answer, 12)


@pytest.mark.parametrize("path", ["/v2/users/%ff", "/v2/users/%C0%AF"])
async def test_path_with_invalid_utf8_is_refused(managed: Any, path: str) -> None:
    answer = await managed.api.http.get(path)

    assert answer.status_code == 400
    assert _is_status(answer, 3)


@pytest.mark.parametrize("query", ["a=1", "userId=x&a", "user_id.x=1", "%ff=1"])
async def test_unknown_query_parameter_is_refused(managed: Any, query: str) -> None:
    """Unknown query parameters are refused like unknown members of the body."""
    headers = {"Authorization": f"Bearer {managed.tokens['owner']}"}
    answer = await managed.api.http.get(f"/v2/users/self-{managed.tag}?{query}", headers=headers)

    assert answer.status_code == 400
    assert _is_status(answer, 3)


@pytest.mark.parametrize("value", ["", "Basic abc", "Bearer", "Bearer a b", "Bearer " + "x" * 100_000, "bearer \xff"])
async def test_other_authorization_headers_are_refused(managed: Any, value: str) -> None:
    """Any Authorization header without a bearer token gives 401 and code 16."""
    headers = [(b"authorization", value.encode("latin-1"))]
    answer = await managed.api.http.get("/v2/users/x", headers=headers)

    assert answer.status_code == 401
    assert _is_status(answer, 16)


@pytest.mark.parametrize(
    ("media", "content"),
    [
        ("application/proto", b"\xff\xff"),
        ("application/json", b"[1,"),
        ("application/grpc-web+proto", b"\x00\x00\x00\x00\x02\xff\xff"),
        ("application/grpc-web+proto", b"\x00\x00\x00"),
        ("application/grpc-web+proto", b"\x01\x00\x00\x00\x00"),
        ("application/grpc-web+proto", b""),
        ("application/grpc", b"\x00\x00\x00\x00\x00"),
        ("text/plain", b"x"),
        ("application/proto", b"x" * (2 * 1024 * 1024 + 1)),
    ],
    ids=lambda value: str(value)[:40],
)
async def test_broken_rpc_is_a_client_error(managed: Any, media: str, content: bytes) -> None:
    """Broken framing and messages are client errors in all protocols (RX-12)."""
    answer = await _post(managed, content, RPC, **{"Content-Type": media})

    response = read_grpc_web(RPC_NAME, answer) if "grpc" in media else _read(answer)

    assert answer.status_code < 500
    assert response.code == 3
    assert response.error_code


@pytest.mark.parametrize(
    ("name", "value"),
    [("Connect-Protocol-Version", "nine of ten"), ("Connect-Timeout-Ms", "soon"), ("Content-Encoding", "gzip")],
)
async def test_protocol_header_errors_have_an_id(managed: Any, name: str, value: str) -> None:
    """No text or code of the library reaches the client (MG-19, RX-10, RX-12)."""
    headers = {"Content-Type": "application/proto", name: value, "Accept-Language": "de"}
    answer = await _post(managed, b"", RPC, **headers)

    assert _read(answer).code == 3
    assert _read(answer).error_code in ("USER-860", "USER-863")
    assert value not in answer.text


async def test_error_texts_are_translated(managed: Any) -> None:
    """Accept-Language selects the language of the message in all protocols; the id stays the same."""
    german = await managed.get("nobody-at-all", headers={"Accept-Language": "de-CH, en;q=0.5"})
    english = await managed.get("nobody-at-all", headers={"Accept-Language": "xx"})

    assert german.error_code == english.error_code == "USER-315"
    assert english.body["message"] == "User not found. (USER-315)"
    assert german.body["message"] == "Diesen Benutzer gibt es nicht. (USER-315)"


async def test_calls_are_unavailable_without_the_bus(managed: Any) -> None:
    """Without the bus no token can be verified, so every protocol returns code 14 with Retry-After."""
    managed.users.bus.down = True
    by_json = await _post(managed, b"{}")
    by_connect = await _post(managed, b"", RPC, **{"Content-Type": "application/proto"})
    by_web = await _post(managed, b"\0\0\0\0\0", RPC, **{"Content-Type": "application/grpc-web+proto"})

    assert (by_json.status_code, by_connect.status_code, by_web.status_code) == (503, 503, 200)
    assert _is_status(by_json, 14)
    assert by_connect.json()["code"] == "unavailable"
    assert {answer.headers["Retry-After"] for answer in (by_json, by_connect, by_web)} == {"1"}
