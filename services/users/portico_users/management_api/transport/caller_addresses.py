from __future__ import annotations

from functools import partial

from portico_web.client_address import UNKNOWN, outside_address
from portico_web.trusted_proxies import TrustedProxies
from starlette.requests import Request
from starlette.types import ASGIApp, Receive, Scope, Send

from portico_users.values.caller_address import called_from


class CallerAddresses:
    """Lets commands read the address of their caller, which trusted proxies state."""

    def __init__(self, app: ASGIApp, proxies: TrustedProxies) -> None:
        self._app = app
        self._proxies = proxies

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        with called_from(partial(_address_in, scope, self._proxies)):
            await self._app(scope, receive, send)


def _address_in(scope: Scope, proxies: TrustedProxies) -> str:
    """Empty for another service of this installation that states no address of its client."""
    request = Request(scope)
    address = outside_address(request, proxies)
    return "" if address == UNKNOWN else address
