"""The discovery document (OpenID Connect Discovery 1.0 section 3), built once from `provider_metadata`."""

from __future__ import annotations

import hashlib
import json
from typing import Any, Final

from portico_contracts import http
from portico_oauth import assurance, jose, pkce
from portico_web.headers import ANY_ORIGIN, PUBLIC_PREFLIGHT
from portico_web.languages import LANGUAGES
from starlette.requests import Request
from starlette.responses import Response

from portico_authz import provider_metadata

MAX_AGE: Final = 300


def document(issuer: str) -> dict[str, Any]:
    """Returns the metadata of an issuer; only IANA-registered names, and only what is implemented (AZ-19)."""
    return {
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
        "grant_types_supported": provider_metadata.GRANT_TYPES,
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
    }


class Discovery:
    """Serves the document: both responses are prepared here, requests only compare the ETag."""

    def __init__(self, issuer: str) -> None:
        body = json.dumps(document(issuer), separators=(",", ":")).encode()
        self._tag = f'"{hashlib.sha256(body).hexdigest()[:32]}"'
        headers = {
            **ANY_ORIGIN,
            "Cache-Control": f"public, max-age={MAX_AGE}, must-revalidate",
            "ETag": self._tag,
            "X-Content-Type-Options": "nosniff",
        }
        self._full = Response(body, media_type="application/json", headers=headers)
        self._not_modified = Response(status_code=304, headers=headers)

    async def serve(self, request: Request) -> Response:
        """200 with the document, or 304 for a client that has it (RFC 9110 section 13.1.2); 204 for a preflight."""
        if request.method == "OPTIONS":
            return Response(status_code=204, headers=PUBLIC_PREFLIGHT)
        known = request.headers.get("if-none-match", "")
        if known == "*" or self._tag in (tag.strip().removeprefix("W/") for tag in known.split(",")):
            return self._not_modified
        return self._full
