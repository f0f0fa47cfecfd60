"""Imitates GitHub ("Authorizing OAuth apps", "Troubleshooting OAuth app access token request errors").

No OpenID Connect: a code, a token, and two documents of the API. Token errors have status 200, and token
responses are forms unless JSON is accepted. The API is also served below ``/api/v3`` as in GitHub Enterprise
Server.
"""

from __future__ import annotations

import secrets
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any, Final
from urllib.parse import urlencode
from zlib import crc32

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from portico_scenarios import upstream_page
from portico_scenarios.upstream_page import Codes, Fields, Grant, Visitor

CLIENT_ID: Final = "Iv1.8a61f9b3a7aba766"
CLIENT_SECRET: Final = "e2e-secret-at-github"
_DOCS: Final = "https://docs.github.com/apps/managing-oauth-apps/troubleshooting-oauth-app-access-token-request-errors/"
_ERRORS: Final = {
    "incorrect_client_credentials": "The client_id and/or client_secret passed are incorrect.",
    "redirect_uri_mismatch": "The redirect_uri MUST match the registered callback URL for this application.",
    "bad_verification_code": "The code passed is incorrect or expired.",
}
_DENIED: Final = {"error": "access_denied", "error_description": "The user has denied your application access."}


@dataclass(frozen=True, slots=True)
class GitHub:
    """The provider with its one application.

    Attributes:
        address: without a trailing slash.
        redirect_uri: the callback URL of the application.
        changes: by login: changed members of the user document.
        emails: by login: addresses; defaults to one that is primary and verified.
    """

    address: str
    redirect_uri: str
    changes: dict[str, dict[str, Any]] = field(default_factory=dict)
    emails: dict[str, list[dict[str, Any]]] = field(default_factory=dict)
    _codes: Codes = field(default_factory=Codes)
    _tokens: dict[str, Grant] = field(default_factory=dict)

    @property
    def person(self) -> Visitor:
        return Visitor(self.address)

    def app(self) -> Starlette:
        return Starlette(
            routes=[
                Route("/login/oauth/authorize", self._authorize, methods=["GET", "POST"]),
                Route("/login/oauth/access_token", self._token, methods=["POST"]),
                *(Route(f"{base}/user", self._user) for base in ("", "/api/v3")),
                *(Route(f"{base}/user/emails", self._emails) for base in ("", "/api/v3")),
            ]
        )

    async def _authorize(self, request: Request) -> Response:
        wanted = {"redirect_uri": self.redirect_uri, **request.query_params}
        if wanted.get("client_id") != CLIENT_ID:
            return Response("Not Found", 404)
        if wanted["redirect_uri"] != self.redirect_uri:
            return upstream_page.answer({**wanted, "redirect_uri": self.redirect_uri}, _error("redirect_uri_mismatch"))
        if request.method == "GET":
            return upstream_page.show()
        form = await upstream_page.form_of(request)
        if form.get("press") == "cancel":
            return upstream_page.answer(wanted, _DENIED)
        return upstream_page.answer(wanted, {"code": self._codes.issue(form["login"], wanted)})

    async def _token(self, request: Request) -> Response:
        fields = self._exchange(await upstream_page.form_of(request))
        if "application/json" in request.headers.get("accept", ""):
            return JSONResponse(fields)
        return Response(urlencode(fields), media_type="application/x-www-form-urlencoded")

    def _exchange(self, form: Fields) -> dict[str, str]:
        if (form.get("client_id"), form.get("client_secret")) != (CLIENT_ID, CLIENT_SECRET):
            return _error("incorrect_client_credentials")
        if form.get("redirect_uri", self.redirect_uri) != self.redirect_uri:
            return _error("redirect_uri_mismatch")
        grant = self._codes.redeem(form)
        if grant is None:
            return _error("bad_verification_code")
        token = f"gho_{secrets.token_hex(18)}"
        self._tokens[token] = grant
        return {"access_token": token, "scope": ",".join(_scopes(grant)), "token_type": "bearer"}

    async def _user(self, request: Request) -> Response:
        grant = self._granted(request)
        if isinstance(grant, Response):
            return grant
        login = grant.login
        return JSONResponse(
            {
                "login": login,
                "id": user_id(login),
                "node_id": f"U_{login}",
                "avatar_url": f"{self.address}/avatars/{login}",
                "type": "User",
                "name": f"{login.title()} Elsewhere",
                "email": None,
                **self.changes.get(login, {}),
            }
        )

    async def _emails(self, request: Request) -> Response:
        grant = self._granted(request)
        if isinstance(grant, Response):
            return grant
        if not {"user", "user:email"} & set(_scopes(grant)):
            return _refused(404, "Not Found")
        usual = {
            "email": f"{grant.login}@elsewhere.example",
            "primary": True,
            "verified": True,
            "visibility": "private",
        }
        return JSONResponse(self.emails.get(grant.login, [usual]))

    def _granted(self, request: Request) -> Grant | Response:
        """Requests without a User-Agent are refused too ("Getting started with the REST API")."""
        if not request.headers.get("user-agent"):
            return Response("Please make sure your request has a User-Agent header.", 403, media_type="text/plain")
        scheme, _, token = request.headers.get("authorization", "").partition(" ")
        if not token:
            return _refused(401, "Requires authentication")
        grant = self._tokens.get(token) if scheme.lower() in ("bearer", "token") else None
        return grant or _refused(401, "Bad credentials")


def user_id(login: str) -> int:
    """Returns the user's numeric id, which is stable when the login changes."""
    return crc32(login.encode())


def _scopes(grant: Grant) -> list[str]:
    return grant.request.get("scope", "").replace(",", " ").split()


def _error(code: str) -> dict[str, str]:
    return {"error": code, "error_description": _ERRORS[code], "error_uri": f"{_DOCS}#{code.replace('_', '-')}"}


def _refused(status: int, message: str) -> Response:
    document = {"message": message, "documentation_url": "https://docs.github.com/rest", "status": str(status)}
    return JSONResponse(document, status)


@asynccontextmanager
async def running(listener: socket.socket, redirect_uri: str) -> AsyncIterator[GitHub]:
    """Serves the provider on loopback.

    Args:
        redirect_uri: Portico's callback URL.
    """
    provider = GitHub(upstream_page.address_of(listener), redirect_uri)
    async with upstream_page.served(provider.app(), listener):
        yield provider
