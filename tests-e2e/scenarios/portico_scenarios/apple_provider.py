"""Imitates Sign in with Apple ("Request an authorization", "Creating a client secret").

A request for name or email is answered by a form post across sites; the name is in an unsigned ``user``
field, at the first sign-in only; the client secret is an ES256 JWT of the team, checked here with PyJWT;
``email_verified`` is a string; there is no userinfo and no PKCE.
"""

from __future__ import annotations

import base64
import hashlib
import json
import secrets
import socket
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any, Final

import jwt
from portico_harness.key_pairs import KeyPair, key_pair
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from portico_scenarios import upstream_page
from portico_scenarios.upstream_page import Codes, Fields, Grant, Visitor

CLIENT_ID: Final = "example.elsewhere.portico"
TEAM_ID: Final = "DEF123GHIJ"
KEY_ID: Final = "ABC123DEFG"
MOST_SECONDS: Final = 15_777_000
"""Maximum lifetime of a client secret: six months."""

_BY_FORM: Final = "response_mode must be form_post when name or email scope is requested."
_CLAIMS: Final = (
    "aud email email_verified exp iat is_private_email iss nonce nonce_supported real_user_status sub transfer_sub"
)


@dataclass(frozen=True, slots=True)
class Apple:
    """The provider with its one application.

    Attributes:
        address: without a trailing slash; the issuer, and the audience of client secrets.
        redirect_uri: the callback URL of the application.
        changes: by login: changed claims; an ellipsis removes one.
        known: logins that have signed in before, whose name is not sent again.
    """

    address: str
    redirect_uri: str
    changes: dict[str, dict[str, Any]] = field(default_factory=dict)
    known: set[str] = field(default_factory=set)
    team_key: KeyPair = field(default_factory=lambda: key_pair(KEY_ID))
    _key: KeyPair = field(default_factory=lambda: key_pair("e2e-key-of-apple", "RS256"))
    _codes: Codes = field(default_factory=Codes)

    @property
    def person(self) -> Visitor:
        return Visitor(self.address)

    @property
    def private_key(self) -> str:
        """Returns the key file that Apple offers for download once: ``AuthKey_….p8``, PKCS #8."""
        return self.team_key.private_pem

    def app(self) -> Starlette:
        return Starlette(
            routes=[
                Route("/.well-known/openid-configuration", self._discovery),
                Route("/auth/keys", self._keys),
                Route("/auth/authorize", self._authorize, methods=["GET", "POST"]),
                Route("/auth/token", self._token, methods=["POST"]),
            ]
        )

    async def _discovery(self, _request: Request) -> Response:
        return JSONResponse(
            {
                "issuer": self.address,
                "authorization_endpoint": f"{self.address}/auth/authorize",
                "token_endpoint": f"{self.address}/auth/token",
                "revocation_endpoint": f"{self.address}/auth/revoke",
                "jwks_uri": f"{self.address}/auth/keys",
                "response_types_supported": ["code"],
                "response_modes_supported": ["query", "fragment", "form_post"],
                "subject_types_supported": ["pairwise"],
                "id_token_signing_alg_values_supported": ["RS256"],
                "scopes_supported": ["openid", "email", "name"],
                "token_endpoint_auth_methods_supported": ["client_secret_post"],
                "claims_supported": _CLAIMS.split(),
            }
        )

    async def _keys(self, _request: Request) -> Response:
        public = self._key.private.as_dict(private=False)
        key = {name: public[name] for name in ("kty", "kid", "n", "e")}
        return JSONResponse({"keys": [{**key, "use": "sig", "alg": "RS256"}]})

    async def _authorize(self, request: Request) -> Response:
        wanted = dict(request.query_params)
        if (wanted.get("client_id"), wanted.get("redirect_uri")) != (CLIENT_ID, self.redirect_uri):
            return Response("invalid_client", 403)
        if {"name", "email"} & _scopes(wanted) and wanted.get("response_mode") != "form_post":
            return Response(f"invalid_request: {_BY_FORM}", 403)
        if request.method == "GET":
            return upstream_page.show()
        form = await upstream_page.form_of(request)
        if form.get("press") == "cancel":
            return upstream_page.answer(wanted, {"error": "user_cancelled_authorize"})
        # PKCE is not supported: challenge and verifier are ignored.
        code = self._codes.issue(form["login"], {name: wanted[name] for name in wanted if name != "code_challenge"})
        return upstream_page.answer(wanted, {"code": code, **self._first_time(form["login"], wanted)})

    def _first_time(self, login: str, wanted: Fields) -> dict[str, str]:
        scopes = _scopes(wanted)
        if login in self.known or not {"name", "email"} & scopes:
            return {}
        self.known.add(login)
        name = {"name": {"firstName": login.title(), "lastName": "Elsewhere"}} if "name" in scopes else {}
        email = {"email": f"{login}@elsewhere.example"} if "email" in scopes else {}
        return {"user": json.dumps({**name, **email})}

    async def _token(self, request: Request) -> Response:
        form = await upstream_page.form_of(request)
        if form.get("client_id") != CLIENT_ID or not self._is_ours(form.get("client_secret", "")):
            return JSONResponse({"error": "invalid_client"}, 400)
        if form.get("grant_type") != "authorization_code":
            return JSONResponse({"error": "unsupported_grant_type"}, 400)
        grant = self._codes.redeem(form) if form.get("redirect_uri") == self.redirect_uri else None
        if grant is None:
            description = "The code has expired or has been revoked."
            return JSONResponse({"error": "invalid_grant", "error_description": description}, 400)
        token = secrets.token_urlsafe(32)
        return JSONResponse(
            {
                "access_token": token,
                "token_type": "Bearer",
                "expires_in": 3600,
                "refresh_token": secrets.token_urlsafe(32),
                "id_token": self._id_token(grant, token),
            }
        )

    def _is_ours(self, secret: str) -> bool:
        """Checks that the secret is signed by the team's key, for this issuer and application, and for six
        months at most.
        """
        public: Any = self.team_key.private.as_pem(private=False)
        required = ["iss", "iat", "exp", "aud", "sub"]
        try:
            claims = jwt.decode(
                *(secret, public, ["ES256"]), audience=self.address, issuer=TEAM_ID, options={"require": required}
            )
        except jwt.InvalidTokenError:
            return False
        named = jwt.get_unverified_header(secret).get("kid") == KEY_ID
        return named and claims["sub"] == CLIENT_ID and claims["exp"] - time.time() <= MOST_SECONDS

    def _id_token(self, grant: Grant, token: str) -> str:
        now, login, wanted = int(time.time()), grant.login, grant.request
        digest = hashlib.sha256(token.encode()).digest()[:16]
        mail = {"email": f"{login}@elsewhere.example", "email_verified": "true"}
        claims = {
            "iss": self.address,
            "aud": CLIENT_ID,
            "iat": now,
            "exp": now + 86400,
            "sub": f"001234.{hashlib.sha256(login.encode()).hexdigest()[:32]}.0638",
            "at_hash": base64.urlsafe_b64encode(digest).rstrip(b"=").decode(),
            "auth_time": now,
            "nonce_supported": True,
            **({"nonce": wanted["nonce"]} if "nonce" in wanted else {}),
            **(mail if "email" in _scopes(wanted) else {}),
            **self.changes.get(login, {}),
        }
        signing: Any = self._key.private.private_key
        sent = {name: value for name, value in claims.items() if value is not ...}
        return jwt.encode(sent, signing, "RS256", headers={"kid": self._key.kid})


def _scopes(wanted: Fields) -> set[str]:
    return set(wanted.get("scope", "").split())


@asynccontextmanager
async def running(listener: socket.socket, redirect_uri: str) -> AsyncIterator[Apple]:
    """Serves the provider on loopback.

    Args:
        redirect_uri: Portico's callback URL.
    """
    provider = Apple(upstream_page.address_of(listener), redirect_uri)
    async with upstream_page.served(provider.app(), listener):
        yield provider
