from __future__ import annotations

import asyncio
import gc
import importlib
import json
import signal
import sys
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager, contextmanager
from types import ModuleType
from typing import TYPE_CHECKING, Any, Final, NoReturn, Protocol, TypeVar

import structlog
import uvicorn.config
import uvicorn.server
import uvloop
from portico_contracts.gateway import SECONDS
from portico_contracts.topology import READY_HELD_SECONDS
from pydantic import ValidationError
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp

from portico_runtime.http_server.bounded_http import BoundedHttp
from portico_runtime.http_server.draining_server import BACKLOG, DrainingServer
from portico_runtime.http_server.startup_gate import StartupGate
from portico_runtime.process import logs
from portico_runtime.process.health import Health, failure_within, is_ready, note_failure
from portico_runtime.settings.loading import effective, explain, load
from portico_runtime.settings.section import InvalidSetting, Section
from portico_runtime.settings.sections.grpc import GRPC_PORT
from portico_runtime.settings.sections.service import ServiceSection
from portico_runtime.settings.sections.spans import SpansSection

if TYPE_CHECKING:
    from portico_runtime.http_server.http2_server import Http2Server

log = structlog.get_logger("portico.service")

GARBAGE_AT: Final = 10_000
"""Allocations between garbage collections; requests leave few cycles."""

SettingsOf = TypeVar("SettingsOf", bound=ServiceSection)


class Component(Protocol):
    async def start(self) -> None: ...

    async def close(self) -> None: ...


def lifespan(parts: Sequence[Component]) -> Callable[[Any], AbstractAsyncContextManager[None]]:
    @asynccontextmanager
    async def run_parts(_app: Any) -> AsyncIterator[None]:
        async with AsyncExitStack() as stack:
            for part in parts:
                await part.start()
                stack.push_async_callback(part.close)
            yield

    return run_parts


def internal_app(health: Health) -> Starlette:
    """/healthz (alive), /readyz (each dependency), /metrics (Prometheus)."""

    async def healthz(_request: Request) -> Response:
        return PlainTextResponse("ok")

    async def readyz(request: Request) -> Response:
        state = await health.state()
        knows_it = request.headers.get("x-haproxy-server-state", "").startswith("UP;")
        if is_ready(state) and knows_it and await failure_within(READY_HELD_SECONDS):
            state = await health.state()
        return JSONResponse(state, status_code=200 if is_ready(state) else 503)

    async def metrics(_request: Request) -> Response:
        library = await asyncio.to_thread(_load_prometheus_client)
        return Response(library.generate_latest(), media_type=library.CONTENT_TYPE_LATEST)

    return Starlette(routes=[Route("/healthz", healthz), Route("/readyz", readyz), Route("/metrics", metrics)])


def _load_prometheus_client() -> ModuleType:
    """Runs the deferred package, which also registers the metrics of the process; takes some 30 ms the first time."""
    library = importlib.import_module("prometheus_client")
    _ = library.REGISTRY
    return library


def run(
    name: str,
    settings_kind: type[SettingsOf],
    create: Callable[[SettingsOf], tuple[ASGIApp, Health]],
    *,
    grpc_server: type[Http2Server] | None = None,
    doctor: str = "",
) -> None:
    """The main function of a service: serves, or runs ``check-settings`` or ``doctor``.

    Invalid settings end the process with status 2. `grpc_server` is passed in, so that other services do not
    import an HTTP/2 server.
    """
    try:
        settings = load(settings_kind)
    except InvalidSetting as error:
        _stop(f"{name}: {error}")
    except ValidationError as error:
        _stop(f"{name}: {explain(error)}")
    if sys.argv[1:] == ["check-settings"]:
        print(json.dumps(effective(settings), indent=2))
        return
    if sys.argv[1:2] == ["doctor"]:
        sys.exit(importlib.import_module("portico_runtime.doctor.command").main(name, settings, doctor, sys.argv[2:]))
    logs.configure(name, settings.log_level)
    try:
        with _spans(name, settings):
            app, health = create(settings)
            _spare_the_collector()
            uvloop.run(_serve(settings, app, health, grpc_server))
    except InvalidSetting as error:  # one that only shows where it is used
        _stop(f"{name}: {error}")


@contextmanager
def _spans(name: str, settings: Section) -> Iterator[None]:
    """Enables spans where they are configured; their library is imported only then."""
    if not (isinstance(settings, SpansSection) and settings.otlp_endpoint):
        yield
        return
    from portico_runtime.spans.exporting import SpanExport  # noqa: PLC0415  # allow import-place: its library is large

    export = SpanExport(name, settings)
    try:
        yield
    finally:
        export.end()


def _spare_the_collector() -> None:
    gc.collect()
    gc.freeze()
    gc.set_threshold(GARBAGE_AT)


def _stop(sentence: str) -> NoReturn:
    print(sentence, file=sys.stderr)
    sys.exit(2)


async def _serve(settings: ServiceSection, app: ASGIApp, health: Health, grpc_server: type[Http2Server] | None) -> None:
    startup_gate = StartupGate(app, health, stopping=lambda: public.should_exit)
    public = DrainingServer(server_config(startup_gate, settings, settings.port))
    internal = DrainingServer(server_config(internal_app(health), settings, settings.internal_port))
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, public.handle_exit, number, None)
    internal_task = asyncio.create_task(internal.serve([internal.config.bind_socket()]))
    if grpc_server:
        await _begin_second_port(grpc_server, app, settings, public)
    await public.serve([public.config.bind_socket()])
    internal.should_exit = True
    note_failure()  # held responses are sent
    await internal_task
    log.info("stopped")


async def _begin_second_port(
    grpc_server: type[Http2Server], app: ASGIApp, settings: ServiceSection, public: DrainingServer
) -> None:
    port: int = getattr(settings, GRPC_PORT)
    server = grpc_server(app, settings, port, started=lambda: public.started, fail=lambda: public.handle_exit(0, None))
    public.ends_first.append(server.close)
    await server.start()


def server_config(app: ASGIApp, settings: ServiceSection, port: int) -> uvicorn.config.Config:
    return uvicorn.config.Config(
        app,
        interface="asgi3",
        host=settings.host,
        port=port,
        loop="none",
        http=BoundedHttp,
        ws="none",
        lifespan="auto",
        access_log=False,
        log_config=None,
        server_header=False,
        proxy_headers=False,
        timeout_keep_alive=SECONDS.proxy,
        timeout_graceful_shutdown=int(settings.drain_seconds) or 1,
        backlog=BACKLOG,
    )
