"""Serves the OpenAPI document of the management API, as of this installation."""

from __future__ import annotations

from functools import cached_property
from importlib.resources import files
from typing import Any

import msgspec
from portico_oauth.errors import METHOD_NOT_ALLOWED
from portico_web.surfaces import rpc_status
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from portico_users.kernel.catalogue import PACKAGE


class DocumentEndpoint:
    """ASGI application of one path.

    Args:
        issuer: of the installation: the server that the document names, so that a client generated from it needs no
            other address.
    """

    def __init__(self, issuer: str) -> None:
        self._issuer = issuer

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answers with the document, without authentication."""
        response = Response(self._document, media_type="application/json")
        if scope["method"] != "GET":
            response = rpc_status(METHOD_NOT_ALLOWED.error(), Request(scope), package=PACKAGE)
            response.headers["Allow"] = "GET"
        await response(scope, receive, send)

    @cached_property
    def _document(self) -> bytes:
        generated = files("portico_contracts").joinpath("generated", "management-api.json").read_bytes()
        document: dict[str, Any] = msgspec.json.decode(generated)
        return msgspec.json.encode({**document, "servers": [{"url": self._issuer}]})
