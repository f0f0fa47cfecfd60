"""Client certificates in the header of the gateway (RFC 9440), trusted only with its key (decision 0151)."""

from __future__ import annotations

import binascii
from collections.abc import Callable
from typing import Final

from portico_contracts.gateway_headers import CLIENT_CERTIFICATE, GATEWAY_KEY
from portico_oauth.opaque import equal_in_constant_time
from starlette.types import ASGIApp, Receive, Scope, Send

from portico_token.domain.clients import ALIAS, CERTIFICATE

_KEY: Final = GATEWAY_KEY.lower().encode()
_CERTIFICATE: Final = CLIENT_CERTIFICATE.lower().encode()
_LONGEST: Final = 16 * 1024


class GatewayCertificates:
    """Adds certificate and base URL to the scope of requests with the key of the gateway, which has to be a proxy.

    Every process of the machine or cluster may be in the networks of the proxies, so that these alone are too weak for
    something that authenticates. The gateway removes both headers from what clients send.
    """

    def __init__(self, app: ASGIApp, sent_by_proxy: Callable[[Scope], bool], key: str, alias: str) -> None:
        self._app = app
        self._sent_by_proxy = sent_by_proxy
        self._key = key
        self._alias = alias

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and self._is_of_gateway(scope):
            scope[ALIAS] = self._alias
            if certificate := _certificate_in(scope):
                scope[CERTIFICATE] = certificate
        await self._app(scope, receive, send)

    def _is_of_gateway(self, scope: Scope) -> bool:
        sent = _values(scope, _KEY)
        return len(sent) == 1 and equal_in_constant_time(sent[0], self._key) and self._sent_by_proxy(scope)


def _certificate_in(scope: Scope) -> bytes:
    """Returns the certificate in DER; empty without one, and for several or a malformed one."""
    sent = _values(scope, _CERTIFICATE)
    if len(sent) != 1 or len(sent[0]) > _LONGEST or sent[0][:1] != ":" or sent[0][-1:] != ":":
        return b""
    try:
        return binascii.a2b_base64(sent[0][1:-1], strict_mode=True)
    except ValueError:
        return b""


def _values(scope: Scope, name: bytes) -> list[str]:
    return [value.decode("latin-1") for given, value in scope["headers"] if given == name]
