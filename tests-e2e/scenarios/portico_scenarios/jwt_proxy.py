"""A JWT identity provider behind a proxy: it signs users in and injects a JWT into a header.

The browser is sent to `JwtProxy.endpoint` with ``authRequestID`` and ``userAgentID``, where a login is
entered. It continues to ``/ui/login/login/jwt/authorize`` *of the proxy*, which forwards the request to
Portico with the JWT in the header, because a redirect cannot carry a header. The proxy has another host
(127.0.0.1 instead of localhost), so it receives no cookie of Portico; Portico's response is returned
unchanged (decision 0047).
"""

from __future__ import annotations

import secrets
import socket
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any, Final
from urllib.parse import urlencode

import httpx
import jwt
from portico_harness.key_pairs import KeyPair, key_pair
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import Route

from portico_scenarios import upstream_page
from portico_scenarios.upstream_page import Visitor

AUTHORIZE: Final = "/ui/login/login/jwt/authorize"
ENDPOINT: Final = "/sign-in"
_COOKIE: Final = "session"
_PASSED: Final = ("accept", "accept-language", "user-agent", "sec-fetch-site", "sec-fetch-mode", "sec-fetch-dest")
_CONNECTION: Final = {"connection", "content-length", "content-encoding", "transfer-encoding", "keep-alive", "date"}


@dataclass(slots=True)
class JwtProxy:
    """The proxy with its sign-in page and its key set.

    Attributes:
        address: without a trailing slash; the issuer of its JWTs.
        portico: the backend.
        header: the configured header name.
        scheme: prefix of the JWT: ``Bearer `` or empty.
        changes: by login: changed claims; an ellipsis removes one.
        forwarded: every JWT sent to Portico, the newest last.
    """

    address: str
    portico: str
    header: str = "authorization"
    scheme: str = "Bearer "
    changes: dict[str, dict[str, Any]] = field(default_factory=dict)
    forwarded: list[str] = field(default_factory=list)
    key: KeyPair = field(default_factory=lambda: key_pair("e2e-key-of-jwt-proxy", "RS256"))
    _sessions: dict[str, str] = field(default_factory=dict)

    @property
    def endpoint(self) -> str:
        return f"{self.address}{ENDPOINT}"

    @property
    def keys_endpoint(self) -> str:
        return f"{self.address}/keys"

    @property
    def person(self) -> Visitor:
        """A visitor of the proxy; without script, navigation ends at the target of Portico's redirect."""
        return Visitor(self.address)

    def app(self, http: httpx.AsyncClient) -> Starlette:
        """Returns the page, the key set, and the forwarded path.

        Args:
            http: reaches Portico, and does not follow redirects.
        """

        async def forward(request: Request) -> Response:
            return await self._forward(request, http)

        return Starlette(
            routes=[
                Route(ENDPOINT, self._sign_in, methods=["GET", "POST"]),
                Route("/keys", self._keys),
                Route(AUTHORIZE, forward),
            ]
        )

    def token(self, login: str) -> str:
        """Returns a JWT about a login, valid for five minutes unless changed."""
        now = int(time.time())
        claims = {
            "iss": self.address,
            "sub": login,
            "aud": [self.portico],
            "iat": now,
            "exp": now + 300,
            # Makes two JWTs of the same second distinct, because Portico accepts each one once.
            "jti": secrets.token_hex(16),
            "given_name": login.title(),
            "family_name": "Elsewhere",
            "preferred_username": login,
            "email": f"{login}@elsewhere.example",
            "email_verified": True,
            **self.changes.get(login, {}),
        }
        signing: Any = self.key.private.private_key
        sent = {name: value for name, value in claims.items() if value is not ...}
        return jwt.encode(sent, signing, "RS256", headers={"kid": self.key.kid})

    async def _keys(self, _request: Request) -> Response:
        public = self.key.private.as_dict(private=False)
        return JSONResponse({"keys": [{**public, "use": "sig", "alg": "RS256"}]})

    async def _sign_in(self, request: Request) -> Response:
        onward = f"{AUTHORIZE}?{urlencode(request.query_params)}"
        if request.cookies.get(_COOKIE) in self._sessions:
            return RedirectResponse(onward, 302)
        if request.method == "GET":
            return upstream_page.show()
        session = secrets.token_urlsafe(32)
        self._sessions[session] = (await upstream_page.form_of(request))["login"]
        response = RedirectResponse(onward, 302)
        response.set_cookie(_COOKIE, session, httponly=True, samesite="lax")
        return response

    async def _forward(self, request: Request, http: httpx.AsyncClient) -> Response:
        login = self._sessions.get(request.cookies.get(_COOKIE, ""))
        if login is None:
            return Response("Sign in first.", 401)
        self.forwarded.append(self.token(login))
        # The browser's own value of the header is never forwarded.
        headers = {name: request.headers[name] for name in _PASSED if name in request.headers}
        headers[self.header] = f"{self.scheme}{self.forwarded[-1]}"
        answer = await http.get(f"{self.portico}{AUTHORIZE}?{request.url.query}", headers=headers)
        passed = {name: value for name, value in answer.headers.items() if name not in _CONNECTION}
        return Response(answer.content, answer.status_code, passed)


@asynccontextmanager
async def running(
    listener: socket.socket, portico: str, http: httpx.AsyncClient, header: str = "authorization"
) -> AsyncIterator[JwtProxy]:
    """Serves the proxy on loopback, which Portico must be allowed to call for its keys (``PORTICO_OUTBOUND_ALLOW``).

    Args:
        portico: the issuer.
        http: reaches it, and does not follow redirects.
    """
    proxy = JwtProxy(upstream_page.address_of(listener), portico, header)
    async with upstream_page.served(proxy.app(http), listener):
        yield proxy
