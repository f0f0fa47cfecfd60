from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import TYPE_CHECKING, Final

from portico_contracts.http import MANAGEMENT_HEALTH, MANAGEMENT_OPENAPI, SCIM, ZITADEL_PREFIX
from portico_runtime.process.health import Health
from starlette.types import ASGIApp, Receive, Scope, Send

from portico_users.management_api.transport.dispatch import Dispatch
from portico_users.management_api.transport.endpoints.json_endpoint import JsonEndpoint
from portico_users.management_api.transport.endpoints.public_endpoints import PREFIX as LOGO_PREFIX
from portico_users.management_api.transport.endpoints.public_endpoints import (
    DocumentEndpoint,
    HealthEndpoint,
    LogoEndpoint,
)
from portico_users.management_api.transport.endpoints.rpc_requests import RpcRequests, is_call, load_methods
from portico_users.management_api.transport.operation import Operation

if TYPE_CHECKING:
    from portico_users.management_api.transport.endpoints.rpc_endpoint import RpcEndpoint

JSON_PREFIXES: Final = ("/v2/", "/v2beta/", "/v2alpha/", "/management/v1/", "/admin/v1/")


_SCIM_PREFIX: Final = f"{SCIM}/"


class ManagementRoutes:
    def __init__(
        self,
        app: ASGIApp,
        dispatch: Dispatch,
        operations: Iterable[Operation],
        health: Health,
        issuer: str,
        logos: LogoEndpoint,
        scim: ASGIApp,
        load_zitadel: Callable[[], RpcEndpoint] | None = None,
    ) -> None:
        methods = [operation.method for operation in operations]
        self._app = app
        self._json = JsonEndpoint(dispatch, methods)
        self._rpc = RpcRequests(partial(load_methods, dispatch, methods))
        self._zitadel = RpcRequests(load_zitadel) if load_zitadel else None
        self._health = HealthEndpoint(health)
        self._document = DocumentEndpoint(issuer)
        self._logos = logos
        self._scim = scim

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        path = scope["path"] if scope["type"] == "http" else ""
        if path == MANAGEMENT_OPENAPI:
            await self._document(scope, receive, send)
        elif path == MANAGEMENT_HEALTH:
            await self._health(scope, receive, send)
        elif path.startswith(LOGO_PREFIX):
            await self._logos(scope, receive, send)
        elif path.startswith(JSON_PREFIXES):
            await self._json(scope, receive, send)
        elif path.startswith(_SCIM_PREFIX):
            await self._scim(scope, receive, send)
        elif self._zitadel and path.startswith(ZITADEL_PREFIX):
            await self._zitadel(scope, receive, send)
        elif path and is_call(scope):
            await self._rpc(scope, receive, send)
        else:
            await self._app(scope, receive, send)
