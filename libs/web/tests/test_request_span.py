from __future__ import annotations

import time
from contextlib import nullcontext
from ipaddress import ip_network
from typing import Any

import httpx
import pytest
from opentelemetry.sdk.trace import ReadableSpan
from portico_contracts import context
from portico_harness.collector import NOT_SAMPLED, PARENT, recording
from portico_web.application import create_application
from portico_web.direct_routes import DirectRoutes
from portico_web.edge import Edge
from portico_web.request_span import read_start
from portico_web.trusted_proxies import TrustedProxies
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

LOOPBACK = TrustedProxies([ip_network("127.0.0.0/8")])


async def answer(request: Request) -> Response:
    """Returns the current trace; raises for certain paths."""
    if request.path_params.get("what") == "fault":
        raise RuntimeError
    return PlainTextResponse(context.TRACE_PARENT.get(), 404 if request.path_params.get("what") == "missing" else 200)


def client_of(proxies: TrustedProxies = LOOPBACK) -> httpx.AsyncClient:
    app = create_application(
        lambda _: nullcontext(), [Route("/oauth/v2/keys", answer), Route("/inside/{what}/step", answer)]
    )
    transport = httpx.ASGITransport(Edge(DirectRoutes(app), proxies), raise_app_exceptions=False)
    return httpx.AsyncClient(transport=transport, base_url="http://service")


def attributes_of(span: ReadableSpan) -> dict[str, Any]:
    return dict(span.attributes or {})


@pytest.mark.parametrize(
    ("path", "name", "status"),
    [
        ("/oauth/v2/keys?canary=1", "GET /oauth/v2/keys", 200),
        ("/inside/canary/step", "GET /inside/{what}/step", 200),
        ("/inside/missing/step", "GET /inside/{what}/step", 404),
        ("/canary", "GET", 404),
    ],
)
async def test_span_has_the_route_and_the_request_id(path: str, name: str, status: int) -> None:
    """A span has the route's pattern, never the path and its query, which contain ids and codes (IN-09)."""
    with recording("") as recorded:
        async with client_of() as client:
            response = await client.get(path)
    span = recorded.only()

    assert (response.status_code, span.name, span.kind.name) == (status, name, "SERVER")
    assert attributes_of(span)["portico.request_id"] == response.headers["x-request-id"]
    assert attributes_of(span)["http.response.status_code"] == status
    assert attributes_of(span).get("http.route", "") == name.removeprefix("GET").strip()
    assert "canary" not in span.to_json()
    assert span.status.is_unset


async def test_server_error_marks_the_span() -> None:
    with recording("") as recorded:
        async with client_of() as client:
            await client.get("/inside/fault/step")

    assert attributes_of(recorded.only())["error.type"] == "500"


async def test_work_belongs_to_the_span_of_its_request() -> None:
    """A request joins the trace of a trusted proxy, and its work is a child of its span."""
    with recording("") as recorded:
        async with client_of() as client:
            seen = (await client.get("/oauth/v2/keys", headers={"traceparent": PARENT})).text
    span = recorded.only()

    assert span.context is not None
    assert span.parent is not None
    assert seen == f"{PARENT[:36]}{span.context.span_id:016x}-01"
    assert f"{span.parent.span_id:016x}" == PARENT.split("-")[2]


async def test_untrusted_trace_is_not_joined() -> None:
    """A client chooses neither the trace nor the start time of a request (HH-04)."""
    sent = {"traceparent": PARENT, "x-request-start": f"t={int((time.time() - 5) * 1000)}"}
    with recording("") as recorded:
        async with client_of(TrustedProxies(())) as client:
            await client.get("/oauth/v2/keys", headers=sent)
    span = recorded.only()

    assert span.parent is None
    assert f"{span.context.trace_id if span.context else 0:032x}" != PARENT.split("-")[1]


async def test_gateway_is_the_first_span() -> None:
    """The gateway's span lasts from its noted start to the end of the response and is the parent of the service's."""
    sent = {"x-request-start": f"t={int((time.time() - 2) * 1_000_000)}"}
    with recording("") as recorded:
        async with client_of() as client:
            await client.get("/oauth/v2/keys", headers=sent)
    service, gateway = recorded.ended()

    assert (gateway.name, gateway.resource.attributes["service.name"]) == ("gateway", "portico-gateway")
    assert gateway.parent is None
    assert service.parent is not None
    assert gateway.context is not None
    assert service.parent.span_id == gateway.context.span_id
    assert gateway.start_time is not None
    assert service.start_time is not None
    assert 1.9 < (service.start_time - gateway.start_time) / 1e9 < 30
    assert attributes_of(gateway)["http.route"] == "/oauth/v2/keys"


@pytest.mark.parametrize(("ratio", "parent"), [(0.0, ""), (1.0, NOT_SAMPLED)])
async def test_unsampled_decision_is_propagated(ratio: float, parent: str) -> None:
    with recording("", ratio=ratio) as recorded:
        async with client_of() as client:
            seen = (await client.get("/oauth/v2/keys", headers={"traceparent": parent} if parent else {})).text

    assert recorded.ended() == []
    assert context.is_trace_parent(seen)
    assert seen.endswith("-00")


async def test_without_spans_a_trace_is_passed_on() -> None:
    async with client_of() as client:
        seen = (await client.get("/oauth/v2/keys", headers={"traceparent": PARENT})).text

    assert seen == PARENT


async def test_framework_telemetry_is_off(monkeypatch: pytest.MonkeyPatch) -> None:
    """The framework's spans contain whole addresses, and no environment variable enables them (IN-09)."""
    monkeypatch.setenv("FASTAPI_OTEL_AUTO_CONFIGURE", "true")
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", "http://127.0.0.1:9")
    app = create_application(lambda _: nullcontext())

    assert not app._native_telemetry.enabled()


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("t=1700000000123456", 1_700_000_000.123456),
        ("t=1700000000123", 1_700_000_000.123),
        ("t=1700000000.123", 1_700_000_000.123),
        ("1700000000123", 1_700_000_000.123),
        *((text, 0.0) for text in ("", "t=", "t=-1", "t=1e9", "t=1.2.3", "t=\u0661", "\n", "t=nan", f"t={'9' * 30}")),
    ],
)
def test_gateway_start_time_formats(text: str, seconds: float) -> None:
    """HAProxy writes microseconds, Caddy milliseconds and nginx seconds with a fraction; other formats are ignored."""
    assert read_start(text) == pytest.approx(seconds, abs=1e-6)
