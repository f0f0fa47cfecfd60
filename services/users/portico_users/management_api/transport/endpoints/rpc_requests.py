from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Final

from portico_contracts.http import CALL_PREFIXES, GRPC_MEDIA
from portico_contracts.management import Method
from starlette.types import Receive, Scope, Send

from portico_users.management_api.transport.dispatch import Dispatch

if TYPE_CHECKING:
    from portico_users.management_api.transport.endpoints.rpc_endpoint import RpcEndpoint

_CALLS: Final = (GRPC_MEDIA.encode(), b"application/connect+", b"application/proto")
_VERSION: Final = b"connect-protocol-version"


def is_call(scope: Scope) -> bool:
    if scope["path"].startswith(CALL_PREFIXES):
        return True
    headers = scope["headers"]
    return any(name == _VERSION or (name == b"content-type" and value.startswith(_CALLS)) for name, value in headers)


class RpcRequests:
    """Loads the endpoint with the first call: connectrpc and its protobuf library take 4 MiB (decision 0044)."""

    def __init__(self, load: Callable[[], RpcEndpoint]) -> None:
        self._load = load
        self._endpoint: RpcEndpoint | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if not self._endpoint:
            self._endpoint = await asyncio.to_thread(self._load)
        await self._endpoint(scope, receive, send)


def load_methods(dispatch: Dispatch, methods: Iterable[Method]) -> RpcEndpoint:
    from portico_users.management_api.transport.endpoints.rpc_endpoint import RpcEndpoint  # noqa: PLC0415  # allow import-place: its library is large

    return RpcEndpoint(dispatch, methods)
