from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from ipaddress import ip_network

import httpx
import pytest
from fastapi import APIRouter, FastAPI
from portico_harness.asgi_life import alive
from portico_oauth.errors import SERVER_ERROR
from portico_web.direct_routes import DirectRoutes
from portico_web.edge import Edge
from portico_web.surfaces import install_catch_all, oauth_json, render_errors, rpc_status, surface
from portico_web.trusted_proxies import TrustedProxies
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

PREPARED = Response(b"prepared", headers={"ETag": '"1"'})


async def prepared(_request: Request) -> Response:
    return PREPARED


async def never(_request: Request) -> Response:
    raise AssertionError


async def named(request: Request) -> Response:
    """Answers with the path parameter and whether the request bypassed the framework."""
    return Response(f"{request.path_params['name']} {'app' in request.scope}")


async def failing(_request: Request) -> Response:
    raise RuntimeError("mongodb://user:secret@host")


@pytest.fixture
def direct_app() -> FastAPI:
    started: list[str] = []

    @asynccontextmanager
    async def life(_app: FastAPI) -> AsyncIterator[None]:
        started.append("started")
        yield
        started.append("closed")

    app = FastAPI(openapi_url=None, lifespan=life)
    app.state.started = started
    app.router.routes += [
        Route("/oauth/v2/prepared", render_errors(prepared, oauth_json), methods=["GET"]),
        Route("/oauth/v2/prepared", render_errors(never, oauth_json), methods=["GET", "POST"]),
        Route("/v2/things/{name}", render_errors(named, rpc_status), methods=["GET"]),
        Route("/v2/failing", render_errors(failing, rpc_status), methods=["GET"]),
    ]
    router = APIRouter(route_class=surface(rpc_status))

    @router.get("/v2/framed")
    async def framed(request: Request) -> str:
        return f"framed {'app' in request.scope}"

    app.include_router(router)
    install_catch_all(app)
    return app


@pytest.fixture
async def direct_client(direct_app: FastAPI) -> AsyncIterator[httpx.AsyncClient]:
    transport = httpx.ASGITransport(Edge(DirectRoutes(direct_app), TrustedProxies([ip_network("127.0.0.0/8")])))
    async with httpx.AsyncClient(transport=transport, base_url="http://op.test") as client:
        yield client


async def test_shared_response_contains_no_request_data(direct_client: httpx.AsyncClient) -> None:
    """The request id of one caller never reaches another one through a prepared response."""
    before = list(PREPARED.raw_headers)
    ids = [
        (await direct_client.get("/oauth/v2/prepared", headers={"X-Request-Id": id})).headers["x-request-id"]
        for id in ("the-first-request", "the-second-request")
    ]

    assert ids == ["the-first-request", "the-second-request"]
    assert before == PREPARED.raw_headers


async def test_failure_is_rendered_on_the_surface_of_its_route(direct_client: httpx.AsyncClient) -> None:
    """A failure outside the framework reveals nothing of the exception (P9)."""
    answer = await direct_client.get("/v2/failing")

    assert answer.status_code == 500
    assert answer.json()["details"][0]["id"] == SERVER_ERROR.id
    assert "secret" not in answer.text


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [("DELETE", "/oauth/v2/prepared", 405), ("GET", "/oauth/v2/unknown", 404), ("GET", "/oauth/v2/prepared/", 404)],
)
async def test_unknown_paths_go_to_the_application(
    direct_client: httpx.AsyncClient, method: str, path: str, status: int
) -> None:
    """Unknown paths and methods, also with an extra slash, get the surface of the catch-all route (AZ-16)."""
    answer = await direct_client.request(method, path)

    assert answer.status_code == status
    assert answer.json()["error"] == "invalid_request"


async def test_path_parameters_are_decoded_once(direct_client: httpx.AsyncClient) -> None:
    assert (await direct_client.get("/v2/things/a%2520b")).text == "a%20b False"


async def test_framework_routes_use_the_framework(direct_client: httpx.AsyncClient) -> None:
    assert (await direct_client.get("/v2/framed")).json() == "framed True"


async def test_first_matching_route_answers(direct_client: httpx.AsyncClient) -> None:
    assert (await direct_client.get("/oauth/v2/prepared")).content == b"prepared"
    assert (await direct_client.post("/oauth/v2/prepared")).status_code == 500


async def test_head_is_answered_like_get(direct_client: httpx.AsyncClient) -> None:
    assert (await direct_client.head("/oauth/v2/prepared")).headers["etag"] == '"1"'


async def test_lifespan_is_passed_to_the_application(direct_app: FastAPI) -> None:
    async with alive(Edge(DirectRoutes(direct_app), TrustedProxies([ip_network("127.0.0.0/8")]))):
        assert direct_app.state.started == ["started"]

    assert direct_app.state.started == ["started", "closed"]
