"""Unknown methods called through the gateway in each protocol: the protocol's error, on a connection that stays
open.
"""

from __future__ import annotations

from typing import Any
from urllib.parse import urlsplit

import grpc
import httpx
import pytest
from playwright.async_api import Page, Route
from portico_harness.eventually import HANGS
from portico_scenarios.administrator import Administrator
from portico_scenarios.api_page import ApiPage
from portico_scenarios.world import World

pytestmark = pytest.mark.e2e

KNOWN = "/portico.user.v2.UserService/AddHumanUser"
UNKNOWN = {
    "unknown service": "/portico.user.v2.NoSuchService/AddHumanUser",
    "unknown package": "/someone.elses.v1.Service/Method",
    "package of another provider": "/other.user.v2.UserService/AddHumanUser",
    "unknown method": "/portico.user.v2.UserService/NoSuchMethod",
    "no method": "/portico.user.v2.UserService",
    "empty method": "/portico.user.v2.UserService/",
    "segment too many": "/portico.user.v2.UserService/AddHumanUser/x",
}
NO_METHOD = "Unknown method. (USER-866)"
FRAME = b"\x00\x00\x00\x00\x00"


async def test_grpcio_gets_unimplemented(world: World) -> None:
    """A client of another version of the .proto files gets UNIMPLEMENTED with its details."""
    target = urlsplit(world.issuer).netloc
    wrong = {}
    async with grpc.aio.insecure_channel(target, options=[("grpc.enable_http_proxy", 0)]) as channel:
        for what, path in UNKNOWN.items():
            call: Any = channel.unary_unary(path)
            with pytest.raises(grpc.aio.AioRpcError) as raised:
                await call(b"", timeout=HANGS)
            error = raised.value
            detailed = "grpc-status-details-bin" in dict(error.trailing_metadata() or ())
            if (error.code(), error.details(), detailed) != (grpc.StatusCode.UNIMPLEMENTED, NO_METHOD, True):
                wrong[what] = (error.code(), error.details(), detailed)

    assert wrong == {}


MEDIA = {
    "Connect": ({"Content-Type": "application/json", "Connect-Protocol-Version": "1"}, 404),
    "Connect, binary": ({"Content-Type": "application/proto"}, 404),
    "gRPC-web": ({"Content-Type": "application/grpc-web+proto"}, 200),
    "gRPC": ({"Content-Type": "application/grpc"}, 200),
}


@pytest.mark.parametrize("version", ["HTTP/1.1", "HTTP/2"])
async def test_connection_stays_open(world: World, version: str) -> None:
    """All errors of any HTTP method arrive on one connection: Connect sends a word, gRPC and gRPC-web send 12."""
    connections = set()
    async with httpx.AsyncClient(
        http1=version == "HTTP/1.1", http2=version == "HTTP/2", trust_env=False, timeout=HANGS
    ) as client:
        for media, (headers, status) in MEDIA.items():
            for what, path in UNKNOWN.items():
                for verb in ("POST", "PUT"):
                    answer = await client.request(verb, f"{world.issuer}{path}", content=FRAME, headers=headers)
                    connections.add(answer.extensions["network_stream"].get_extra_info("client_addr"))

                    assert (answer.http_version, answer.status_code) == (version, status), (media, what)
                    assert "connection" not in answer.headers, (media, what)
                    assert _code_of(answer) in ("unimplemented", "12"), (media, what)

    assert len(connections) == 1


async def test_known_method_with_another_verb_is_unimplemented(world: World) -> None:
    """The error has the protocol's format, and Connect answers HTTP 405 with the allowed method."""
    for media, (headers, _) in MEDIA.items():
        answer = await world.http.put(f"{world.issuer}{KNOWN}", content=FRAME, headers=headers)

        assert _code_of(answer) in ("unimplemented", "12"), media
        assert answer.headers.get("allow") == ("POST" if answer.status_code == 405 else None), media
        assert answer.status_code == (200 if "grpc" in headers["Content-Type"] else 405), media
        assert "connection" not in answer.headers, media


async def test_call_without_protocol_header_is_connect_below_packages(world: World) -> None:
    """JSON without Connect's header is treated as Connect below the API packages only."""
    ours = await world.http.post(f"{world.issuer}{UNKNOWN['unknown method']}", json={})
    elsewhere = await world.http.post(f"{world.issuer}{UNKNOWN['unknown package']}", json={})

    assert (ours.status_code, ours.json()["code"]) == (404, "unimplemented")
    assert (elsewhere.status_code, elsewhere.json()["error"]) == (404, "invalid_request")


def _code_of(answer: httpx.Response) -> str:
    code: str = answer.headers.get("grpc-status") or answer.json()["code"]
    return code


async def test_protocol_header_does_not_open_internal_paths(world: World) -> None:
    """A protocol header leads to no path outside of the path map (HH-04, IN-06)."""
    for path in ("/login/v1/requests/x/step", "/metrics", "/readyz", "/docs", "/openapi.json"):
        for headers, status in MEDIA.values():
            answer = await world.http.post(f"{world.issuer}{path}", content=FRAME, headers=headers)

            assert (answer.status_code, _code_of(answer)) in ((404, "unimplemented"), (200, "12"))
            assert answer.status_code == status


async def test_page_with_connect_web_gets_unimplemented(tab: Page, admin: Administrator) -> None:
    """connect-web in a browser reports code 12 with the error id for a method of another version."""
    page = ApiPage(tab, admin.world.issuer)
    await page.open()
    await tab.route("**/portico.user.v2.UserService/GetUserByID", _to_another_method)
    method = "portico.user.v2.UserService.GetUserByID"
    refused = [(await page.call(form, method, {"userId": "x"}, admin.token))[0] for form in ("gRPC-web", "Connect")]

    assert [(one.code, one.error_code) for one in refused] == [(12, "USER-866")] * 2


async def _to_another_method(route: Route) -> None:
    await route.continue_(url=route.request.url.replace("GetUserByID", "NoSuchMethod"))
