"""The fields of applications, by which the management API, apply and export read and write them."""

from __future__ import annotations

from typing import Final

from portico_contracts.apply import (
    ApiApp,
    ApiAuthMethodName,
    AppTypeName,
    AuthMethodName,
    ClientAssertionAudience,
    ClientAssertionJti,
    OidcApp,
)
from portico_oauth.errors import ErrorCode, Kind

from portico_users.directory.apps.app_record import App, has_management_access
from portico_users.directory.apps.vocabulary import (
    ACCESS_TOKEN_TYPES,
    AUTH_METHODS,
    GRANT_TYPES,
    RESPONSE_TYPES,
)
from portico_users.kernel.fields import STATE, Each, Field, Fields, WholeSeconds, Words

FRACTION_OF_A_SECOND = ErrorCode(
    "USER-920",
    Kind.INVALID_REQUEST,
    "The clock skew must be in whole seconds.",
    "Use 0s to 5s.",
)

_OF_API_APPS: Final = frozenset({"state", "name", "client_id", "auth_method", "assertion_jti_required"})
_JTI: Final = Field(
    "assertion_jti_required",
    "client_assertion_jti",
    Words({ClientAssertionJti.OPTIONAL: False, ClientAssertionJti.REQUIRED: True}),
)


OIDC_APP: Final = Fields(
    App,
    OidcApp,
    (
        STATE,
        Field("auth_method", "auth_method_type", Words({name: AUTH_METHODS[name] for name in AuthMethodName})),
        Field("response_types", conversion=Each(Words({name: one.value for name, one in RESPONSE_TYPES.items()}))),
        Field("grant_types", conversion=Each(Words(GRANT_TYPES))),
        Field("app_type", conversion=Words({name: name for name in AppTypeName})),
        Field("access_token_type", conversion=Words(ACCESS_TOKEN_TYPES)),
        Field(
            "issuer_audience_only",
            "client_assertion_audience",
            Words({ClientAssertionAudience.ANY: False, ClientAssertionAudience.ISSUER: True}),
        ),
        Field("clock_skew_seconds", "clock_skew", WholeSeconds(FRACTION_OF_A_SECOND)),
        _JTI,
    ),
    hidden=("project_id", "kind", "secret_hash", "previous_secret", "keys"),
    shown={"management_access": has_management_access},
)
API_APP: Final = Fields(
    App,
    ApiApp,
    (
        STATE,
        Field("auth_method", "auth_method_type", Words({name: AUTH_METHODS[name] for name in ApiAuthMethodName})),
        _JTI,
    ),
    hidden=frozenset(App.__struct_fields__) - _OF_API_APPS,
)
