"""Imitates Microsoft Entra ID ("OpenID Connect on the Microsoft identity platform", "ID token claims reference").

The multi-tenant discovery document (``common``, ``organizations``) has a template as issuer, which the
token's ``tid`` fills; keys have no ``alg`` but an issuer template; an email address is verified by
``xms_edov`` only, which tokens have only where the application requests it.
"""

from __future__ import annotations

import secrets
import socket
import time
import uuid
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

CLIENT_ID: Final = "6731de76-14a6-49ae-97bc-6eba6914391e"
CLIENT_SECRET: Final = "e2e-secret-at-entra"
TENANT: Final = "b9419818-09af-49c2-b0c3-653adc1f376e"
PERSONAL_TENANT: Final = "9188040d-6c67-4c5b-b112-36a304b66dad"
"""Of Microsoft's consumer accounts."""

SHARED: Final = ("common", "organizations", "consumers")
_TEMPLATE: Final = "{tenantid}"
_DENIED: Final = {
    "error": "access_denied",
    "error_description": "AADSTS65004: User declined to consent to access the app.",
    "error_subcode": "cancel",
}
_CLAIMS: Final = "sub iss aud exp iat auth_time acr nonce preferred_username name tid ver at_hash c_hash email"


@dataclass(frozen=True, slots=True)
class Entra:
    """The provider with its one application.

    Attributes:
        address: without a trailing slash.
        redirect_uri: the callback URL of the application.
        changes: by login: changed claims (``tid``, ``xms_edov``, ``email`` …); an ellipsis removes one.
    """

    address: str
    redirect_uri: str
    changes: dict[str, dict[str, Any]] = field(default_factory=dict)
    _key: KeyPair = field(default_factory=lambda: key_pair("e2e-key-of-entra", "RS256"))
    _codes: Codes = field(default_factory=Codes)

    @property
    def person(self) -> Visitor:
        return Visitor(self.address)

    def issuer(self, tenant: str = _TEMPLATE) -> str:
        return f"{self.address}/{tenant}/v2.0"

    def app(self) -> Starlette:
        return Starlette(
            routes=[
                Route("/{tenant}/v2.0/.well-known/openid-configuration", self._discovery),
                Route("/{tenant}/discovery/v2.0/keys", self._keys),
                Route("/{tenant}/oauth2/v2.0/authorize", self._authorize, methods=["GET", "POST"]),
                Route("/{tenant}/oauth2/v2.0/token", self._token, methods=["POST"]),
            ]
        )

    async def _discovery(self, request: Request) -> Response:
        tenant = request.path_params["tenant"]
        base = f"{self.address}/{tenant}"
        return JSONResponse(
            {
                "token_endpoint": f"{base}/oauth2/v2.0/token",
                "token_endpoint_auth_methods_supported": [
                    "client_secret_post",
                    "private_key_jwt",
                    "client_secret_basic",
                ],
                "jwks_uri": f"{base}/discovery/v2.0/keys",
                "response_modes_supported": ["query", "fragment", "form_post"],
                "subject_types_supported": ["pairwise"],
                "id_token_signing_alg_values_supported": ["RS256"],
                "response_types_supported": ["code", "id_token", "code id_token", "id_token token"],
                "scopes_supported": ["openid", "profile", "email", "offline_access"],
                "issuer": self.issuer(_TEMPLATE if tenant in SHARED else tenant),
                "request_uri_parameter_supported": False,
                "userinfo_endpoint": "https://graph.microsoft.com/oidc/userinfo",
                "authorization_endpoint": f"{base}/oauth2/v2.0/authorize",
                "http_logout_supported": True,
                "frontchannel_logout_supported": True,
                "end_session_endpoint": f"{base}/oauth2/v2.0/logout",
                "claims_supported": _CLAIMS.split(),
            }
        )

    async def _keys(self, request: Request) -> Response:
        tenant = request.path_params["tenant"]
        public = self._key.private.as_dict(private=False)
        issuer = self.issuer(_TEMPLATE if tenant in SHARED else tenant)
        key = {name: public[name] for name in ("kty", "kid", "n", "e")}
        return JSONResponse({"keys": [{**key, "use": "sig", "x5t": self._key.kid, "issuer": issuer}]})

    async def _authorize(self, request: Request) -> Response:
        wanted = dict(request.query_params)
        if (wanted.get("client_id"), wanted.get("redirect_uri")) != (CLIENT_ID, self.redirect_uri):
            return Response("AADSTS50011: The redirect URI does not match.", 400)
        if "openid" not in wanted.get("scope", "").split():
            return upstream_page.answer(wanted, {"error": "invalid_request", "error_description": "AADSTS900144"})
        if request.method == "GET":
            return upstream_page.show()
        form = await upstream_page.form_of(request)
        if form.get("press") == "cancel":
            return upstream_page.answer(wanted, _DENIED)
        code = self._codes.issue(form["login"], wanted)
        return upstream_page.answer(wanted, {"code": code, "session_state": str(uuid.uuid4())})

    async def _token(self, request: Request) -> Response:
        form = upstream_page.with_basic(request, await upstream_page.form_of(request))
        if (form.get("client_id"), form.get("client_secret")) != (CLIENT_ID, CLIENT_SECRET):
            return _refused(401, "invalid_client", 7000215, "Invalid client secret provided.")
        if form.get("grant_type") != "authorization_code":
            return _refused(400, "unsupported_grant_type", 70003, "The app requested an unsupported grant type.")
        if form.get("redirect_uri") != self.redirect_uri:
            return _refused(400, "invalid_grant", 500112, "The reply address does not match.")
        grant = self._codes.redeem(form)
        if grant is None:
            return _refused(400, "invalid_grant", 70008, "The provided authorization code is expired.")
        return JSONResponse(
            {
                "token_type": "Bearer",
                "scope": grant.request["scope"],
                "expires_in": 3600,
                "ext_expires_in": 3600,
                "access_token": secrets.token_urlsafe(32),
                "id_token": self._id_token(grant),
            }
        )

    def _id_token(self, grant: Grant) -> str:
        now = int(time.time())
        claims = {
            "aud": CLIENT_ID,
            "iat": now,
            "nbf": now,
            "exp": now + 3900,
            **self._user(grant.login, grant.request),
            "rh": "0.AAAA",
            "uti": secrets.token_urlsafe(16),
            "ver": "2.0",
            **self.changes.get(grant.login, {}),
        }
        claims = {"iss": self.issuer(claims["tid"]), **claims}
        signing: Any = self._key.private.private_key
        sent = {name: value for name, value in claims.items() if value is not ...}
        return jwt.encode(sent, signing, "RS256", headers={"kid": self._key.kid})

    def _user(self, login: str, request: Fields) -> dict[str, Any]:
        """``sub`` is specific to this application, ``oid`` the same within the tenant; ``tid`` makes them unique."""
        scopes = request["scope"].split()
        profile = {"name": f"{login.title()} Elsewhere", "preferred_username": f"{login}@elsewhere.example"}
        return {
            "sub": f"sub-of-{login}",
            "oid": str(uuid.uuid5(uuid.NAMESPACE_DNS, login)),
            "tid": TENANT,
            **({"nonce": request["nonce"]} if "nonce" in request else {}),
            **(profile if "profile" in scopes else {}),
            **({"email": f"{login}@elsewhere.example"} if "email" in scopes else {}),
        }


def _refused(status: int, error: str, number: int, description: str) -> Response:
    document = {
        "error": error,
        "error_description": f"AADSTS{number}: {description}",
        "error_codes": [number],
        "timestamp": time.strftime("%Y-%m-%d %H:%M:%SZ", time.gmtime()),
        "trace_id": str(uuid.uuid4()),
        "correlation_id": str(uuid.uuid4()),
    }
    return JSONResponse(document, status)


@asynccontextmanager
async def running(listener: socket.socket, redirect_uri: str) -> AsyncIterator[Entra]:
    """Serves the provider on loopback.

    Args:
        redirect_uri: Portico's callback URL.
    """
    provider = Entra(upstream_page.address_of(listener), redirect_uri)
    async with upstream_page.served(provider.app(), listener):
        yield provider
