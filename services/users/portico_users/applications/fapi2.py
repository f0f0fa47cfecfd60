"""The settings that the FAPI 2.0 Security Profile demands of an application (decision 0147).

They are checked as a whole: the response to a call names every field that has to change, and that to a document the
first. docs/conformance.md has the clause of each, and those that hold for every application.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final
from urllib.parse import urlsplit

from portico_contracts.apply import AppTypeName
from portico_contracts.users import CERTIFICATE_METHODS, AuthMethod, Dpop
from portico_oauth.dpop import FAPI2_ALGORITHMS
from portico_oauth.errors import ErrorCode, Kind, Violation
from portico_oauth.grant_types import AUTHORIZATION_CODE, REFRESH_TOKEN
from portico_oauth.redirect_uris import is_loopback
from portico_oauth.response_types import ResponseType

from portico_users.applications.app_record import App

NOT_FAPI2 = ErrorCode(
    "USER-794",
    Kind.INVALID_REQUEST,
    "The security profile FAPI 2.0 does not allow this value.",
    "Use private_key_jwt with keys for ES256 or EdDSA and the issuer as the audience of assertions, or a client"
    " certificate, pushed requests, dpop"
    " required, the response type code, https redirect URIs, id_tokens with ES256 or EdDSA, and a grace period of 60"
    " seconds for refresh tokens; or remove the security profile.",
)

ALLOWED: Final = "The security profile FAPI 2.0 allows only {value} here."

GRACE_SECONDS: Final = 60
_METHODS: Final = (AuthMethod.PRIVATE_KEY_JWT, *CERTIFICATE_METHODS)
"""Section 5.3.2.1: mutual TLS or private_key_jwt."""

_GRANTS: Final = frozenset({AUTHORIZATION_CODE, REFRESH_TOKEN})


def refuse_outside_profile(app: App) -> None:
    """Raises USER-794 with every field that the profile does not allow, and with what it allows there."""
    fields = tuple(_forbidden(app)) if app.fapi2 else ()
    if fields:
        raise NOT_FAPI2.error(violations=tuple(Violation(field, ALLOWED, value=value) for field, value in fields))


def _forbidden(app: App) -> Iterator[tuple[str, str]]:
    has_refresh = REFRESH_TOKEN in app.grant_types
    algorithms, native = ", ".join(FAPI2_ALGORITHMS), app.app_type is AppTypeName.NATIVE
    allowed = {
        "authMethodType": (app.auth_method in _METHODS, ", ".join(_METHODS)),
        "clientAssertionAudience": (
            app.issuer_audience_only or app.auth_method in CERTIFICATE_METHODS,
            "issuer",
        ),
        "responseTypes": (app.response_types == (ResponseType.CODE.value,), ResponseType.CODE.value),
        "grantTypes": (_GRANTS.issuperset(app.grant_types), ", ".join(sorted(_GRANTS))),
        "requirePushedAuthorizationRequests": (app.require_pushed_authorization_requests, "true"),
        "dpop": (app.dpop is Dpop.REQUIRED, Dpop.REQUIRED.value),
        "idTokenSignedResponseAlg": (app.id_token_signed_response_alg in FAPI2_ALGORITHMS, algorithms),
        "refreshTokenGraceSeconds": (
            not has_refresh or app.refresh_token_grace_seconds == GRACE_SECONDS,
            str(GRACE_SECONDS),
        ),
        "devMode": (not app.dev_mode, "false"),
        # Tokens of workloads may be used again, which section 5.3.2.1 does not allow.
        "trustedWorkloads": (not app.trusted_workloads, "[]"),
        "plainSchemes": (not app.plain_schemes, "false"),
    }
    yield from ((field, value) for field, (is_allowed, value) in allowed.items() if not is_allowed)
    for number, uri in enumerate(app.redirect_uris):
        if not _may_redirect(uri, native=native):
            yield f"redirectUris[{number}]", "https://…, http://127.0.0.1/…" if native else "https://…"
    signed = app.keys if app.auth_method is AuthMethod.PRIVATE_KEY_JWT else ()
    for number, key in enumerate(signed):
        if key.alg not in FAPI2_ALGORITHMS:
            yield f"keys[{number}]", algorithms


def _may_redirect(uri: str, *, native: bool) -> bool:
    """Section 5.3.2 allows https, and http to a loopback host for native applications; no private-use scheme."""
    parts = urlsplit(uri)
    return parts.scheme == "https" or (native and parts.scheme == "http" and is_loopback(parts.hostname))
