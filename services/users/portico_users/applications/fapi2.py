"""The settings that the FAPI 2.0 Security Profile demands of an application (decision 0147).

They are checked as a whole, so that a form or a document shows everything that has to change. docs/conformance.md has
the clause of each, and those that hold for every application.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from portico_contracts.apply import AppTypeName
from portico_contracts.users import AuthMethod, Dpop
from portico_oauth.dpop import FAPI2_ALGORITHMS
from portico_oauth.errors import ErrorCode, Kind, Violation
from portico_oauth.grant_types import AUTHORIZATION_CODE, REFRESH_TOKEN
from portico_oauth.response_types import ResponseType

from portico_users.applications.app_record import App

NOT_FAPI2 = ErrorCode(
    "USER-794",
    Kind.INVALID_REQUEST,
    "The security profile FAPI 2.0 does not allow this value.",
    "Use private_key_jwt with keys for ES256 or EdDSA, the issuer as the audience of assertions, pushed requests, dpop"
    " required, the response type code, https redirect URIs, id_tokens with ES256 or EdDSA, and a grace period of 60"
    " seconds for refresh tokens; or remove the security profile.",
)

GRACE_SECONDS: Final = 60
_GRANTS: Final = frozenset({AUTHORIZATION_CODE, REFRESH_TOKEN})


def refuse_outside_profile(app: App) -> None:
    """Raises USER-794 with every field that the profile does not allow."""
    fields = tuple(_forbidden(app)) if app.fapi2 else ()
    if fields:
        raise NOT_FAPI2.error(violations=tuple(Violation(field, NOT_FAPI2.text) for field in fields))


def _forbidden(app: App) -> Iterator[str]:
    has_refresh = REFRESH_TOKEN in app.grant_types
    allowed = {
        "authMethodType": app.auth_method is AuthMethod.PRIVATE_KEY_JWT,
        "clientAssertionAudience": app.issuer_audience_only,
        "responseTypes": app.response_types == (ResponseType.CODE.value,),
        "grantTypes": _GRANTS.issuperset(app.grant_types),
        "requirePushedAuthorizationRequests": app.require_pushed_authorization_requests,
        "dpop": app.dpop is Dpop.REQUIRED,
        "idTokenSignedResponseAlg": app.id_token_signed_response_alg in FAPI2_ALGORITHMS,
        "refreshTokenGraceSeconds": not has_refresh or app.refresh_token_grace_seconds == GRACE_SECONDS,
        "devMode": not app.dev_mode,
        "plainSchemes": not app.plain_schemes,
    }
    yield from (field for field, is_allowed in allowed.items() if not is_allowed)
    for number, uri in enumerate(app.redirect_uris):
        if not uri.lower().startswith("https:") and app.app_type is not AppTypeName.NATIVE:
            yield f"redirectUris[{number}]"
    for number, key in enumerate(app.keys):
        if key.alg not in FAPI2_ALGORITHMS:
            yield f"keys[{number}]"
