"""The discovery document (OpenID Connect Discovery 1.0 section 3), built from `provider_metadata`.

What is off by default is advertised where it is turned on: grant types that an application has (decision 0096) or the
login policy allows (0094), client-ID metadata documents (0095), DPoP (0147), client certificates (0151), outside servers
(0153) and identity assertions of other issuers (0157), which of them is never named.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
from functools import partial
from typing import Any, Final, NamedTuple

from portico_contracts import http
from portico_contracts.users import CERTIFICATE_METHODS, AuthMethod
from portico_oauth import assurance, dpop, jose, pkce
from portico_oauth.errors import ServiceError
from portico_oauth.grant_types import DEVICE_CODE
from portico_oauth.token_types import ID_JAG
from portico_web.cross_origin import ANY_ORIGIN
from portico_web.languages import LANGUAGES
from starlette.requests import Request
from starlette.responses import Response

from portico_authz import provider_metadata
from portico_authz.users_client import Offered, UsersClient

MAX_AGE: Final = 300
NOTHING: Final = Offered()

IDENTITY_ASSERTIONS: Final = "urn:ietf:params:oauth:grant-profile:id-jag"
"""Of draft-ietf-oauth-identity-assertion-authz-grant."""


class Certificates(NamedTuple):
    """The base URL of the endpoints that accept client certificates, empty for none, and the methods for them."""

    url: str = ""
    methods: tuple[AuthMethod, ...] = ()

    @classmethod
    def configured(cls, url: str, ca_file: str) -> Certificates:
        """Without CAs there are only self-signed certificates."""
        if not url:
            return NO_CERTIFICATES
        return cls(url, CERTIFICATE_METHODS if ca_file else (AuthMethod.SELF_SIGNED_TLS_CLIENT_AUTH,))


NO_CERTIFICATES: Final = Certificates()

LONGEST_WAIT: Final = 0.5
"""Seconds for users to name the optional features; afterwards the last ones are shown."""


def document(
    issuer: str,
    optional: Offered = NOTHING,
    *,
    pushed_requests: bool = False,
    certificates: Certificates = NO_CERTIFICATES,
) -> dict[str, Any]:
    """Returns the metadata of an issuer with these optional features.

    It has only IANA-registered names, and only what is implemented (AZ-19).
    """
    shown = {
        "issuer": issuer,
        "authorization_endpoint": issuer + http.AUTHORIZE,
        "token_endpoint": issuer + http.TOKEN,
        "userinfo_endpoint": issuer + http.USERINFO,
        "introspection_endpoint": issuer + http.INTROSPECT,
        "revocation_endpoint": issuer + http.REVOKE,
        "end_session_endpoint": issuer + http.END_SESSION,
        "jwks_uri": issuer + http.KEYS,
        "scopes_supported": provider_metadata.SCOPES,
        "response_types_supported": provider_metadata.RESPONSE_TYPES,
        "response_modes_supported": provider_metadata.RESPONSE_MODES,
        "grant_types_supported": (*provider_metadata.GRANT_TYPES, *optional.grant_types),
        "acr_values_supported": assurance.ACR_VALUES,
        "subject_types_supported": ["public"],
        "id_token_signing_alg_values_supported": jose.ALGORITHMS,
        "token_endpoint_auth_methods_supported": provider_metadata.TOKEN_AUTH_METHODS,
        "token_endpoint_auth_signing_alg_values_supported": provider_metadata.ASSERTION_ALGS,
        "introspection_endpoint_auth_methods_supported": provider_metadata.INTROSPECTION_AUTH_METHODS,
        "introspection_endpoint_auth_signing_alg_values_supported": provider_metadata.ASSERTION_ALGS,
        "revocation_endpoint_auth_methods_supported": provider_metadata.REVOCATION_AUTH_METHODS,
        "revocation_endpoint_auth_signing_alg_values_supported": provider_metadata.ASSERTION_ALGS,
        "code_challenge_methods_supported": pkce.METHODS,
        "claim_types_supported": ["normal"],
        "claims_supported": provider_metadata.CLAIMS,
        "claims_parameter_supported": True,
        "prompt_values_supported": provider_metadata.PROMPTS,
        "ui_locales_supported": [language.tag for language in LANGUAGES],
        "request_parameter_supported": False,
        "request_uri_parameter_supported": False,
        "backchannel_logout_supported": True,
        "backchannel_logout_session_supported": True,
        "authorization_response_iss_parameter_supported": True,
        **_optional(issuer, optional, pushed_requests=pushed_requests),
    }
    return shown | _with_certificates(shown, certificates)


def _optional(issuer: str, optional: Offered, *, pushed_requests: bool) -> dict[str, Any]:
    has_devices = DEVICE_CODE in optional.grant_types
    return {
        **({"pushed_authorization_request_endpoint": issuer + http.PUSHED_REQUESTS} if pushed_requests else {}),
        **({"device_authorization_endpoint": issuer + http.DEVICE_AUTHORIZATION} if has_devices else {}),
        **({"client_id_metadata_document_supported": True} if optional.client_metadata else {}),
        **({"dpop_signing_alg_values_supported": dpop.PROOF_ALGORITHMS} if optional.dpop else {}),
        **({"identity_chaining_requested_token_types_supported": [ID_JAG]} if optional.outside_servers else {}),
        **({"authorization_grant_profiles_supported": [IDENTITY_ASSERTIONS]} if optional.assertions else {}),
    }


def _with_certificates(shown: dict[str, Any], certificates: Certificates) -> dict[str, Any]:
    """Their methods, and the endpoints that accept them (RFC 8705 section 5); empty where they are turned off."""
    if not certificates.url:
        return {}
    methods = {
        name: (*shown[name], *certificates.methods) for name in shown if name.endswith("_auth_methods_supported")
    }
    aliases = {name: certificates.url + path for name, path in http.MTLS_ALIASES.items() if name in shown}
    return {**methods, "mtls_endpoint_aliases": aliases}


class _Prepared(NamedTuple):
    tag: str
    full: Response
    not_modified: Response


class Discovery:
    """Serves the document: responses are prepared for each set of optional features, requests only compare the ETag."""

    def __init__(
        self,
        issuer: str,
        users_client: UsersClient,
        *,
        pushed_requests: bool = False,
        certificates: Certificates = NO_CERTIFICATES,
    ) -> None:
        self._document = partial(document, issuer, pushed_requests=pushed_requests, certificates=certificates)
        self._users_client = users_client
        self._optional = NOTHING
        self._prepared = _prepare(self._document())

    async def serve(self, request: Request) -> Response:
        """200 with the document, or 304 for a client that has it (RFC 9110 section 13.1.2)."""
        optional = self._users_client.offered_now() or await self._ask()
        if optional != self._optional:
            self._optional, self._prepared = optional, _prepare(self._document(optional))
        tag, full, not_modified = self._prepared
        known = request.headers.get("if-none-match", "")
        if known == "*" or tag in (part.strip().removeprefix("W/") for part in known.split(",")):
            return not_modified
        return full

    async def _ask(self) -> Offered:
        """Returns the last ones while users cannot be reached: clients need the document for everything else."""
        try:
            async with asyncio.timeout(LONGEST_WAIT):
                return await self._users_client.offered()
        except (ServiceError, TimeoutError):
            return self._optional


def _prepare(shown: dict[str, Any]) -> _Prepared:
    body = json.dumps(shown, separators=(",", ":")).encode()
    tag = f'"{hashlib.sha256(body).hexdigest()[:32]}"'
    headers = {
        **ANY_ORIGIN,
        "Cache-Control": f"public, max-age={MAX_AGE}, must-revalidate",
        "ETag": tag,
        "X-Content-Type-Options": "nosniff",
    }
    full = Response(body, media_type="application/json", headers=headers)
    return _Prepared(tag, full, Response(status_code=304, headers=headers))
