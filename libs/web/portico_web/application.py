from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import AbstractAsyncContextManager
from typing import Any, Final

from fastapi import FastAPI
from fastapi.telemetry import TelemetryConfig
from starlette.routing import BaseRoute

_NO_TELEMETRY: Final[TelemetryConfig] = {"tracing": False, "metrics": False, "logs": False, "auto_configure": False}
"""The framework's spans contain URLs with queries, and could be enabled by the environment (IN-09)."""


def create_application(
    lifespan: Callable[[Any], AbstractAsyncContextManager[None]], routes: Iterable[BaseRoute] = ()
) -> FastAPI:
    return FastAPI(
        openapi_url=None,
        docs_url=None,
        redoc_url=None,
        # The framework would answer a form with 307, and its secrets would be sent again (AZ-16).
        redirect_slashes=False,
        telemetry=_NO_TELEMETRY,
        routes=list(routes),
        lifespan=lifespan,
    )
