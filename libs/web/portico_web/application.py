"""The application every service begins with: what the framework does by itself, and no service wants, is off."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import AbstractAsyncContextManager
from typing import Any, Final

from fastapi import FastAPI
from fastapi.telemetry import TelemetryConfig
from starlette.routing import BaseRoute

_NO_TELEMETRY: Final[TelemetryConfig] = {"tracing": False, "metrics": False, "logs": False, "auto_configure": False}
"""The framework's own spans have addresses with their queries, and the environment could turn them on (IN-09)."""


def create_application(
    lifespan: Callable[[Any], AbstractAsyncContextManager[None]], routes: Iterable[BaseRoute] = ()
) -> FastAPI:
    """An application without pages of documentation, telemetry and redirects of its own.

    Args:
        lifespan: starts the parts of the service, and closes them.
    """
    return FastAPI(
        openapi_url=None,
        docs_url=None,
        redoc_url=None,
        # It would answer a form with 307, and have its secrets sent again (AZ-16).
        redirect_slashes=False,
        telemetry=_NO_TELEMETRY,
        routes=list(routes),
        lifespan=lifespan,
    )
