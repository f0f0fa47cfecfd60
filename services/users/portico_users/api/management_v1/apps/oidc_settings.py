"""The settings of an application, read from a request."""

from __future__ import annotations

import msgspec
from google.protobuf.duration_pb2 import Duration
from portico_contracts.apply import (
    AccessTokenTypeName,
    ApiAuthMethodName,
    AppTypeName,
    AuthMethodName,
    GrantTypeName,
    ResponseTypeName,
)
from portico_contracts.generated.portico.management.v1 import app_pb2, app_service_pb2
from portico_contracts.users import AuthMethod
from portico_oauth.errors import ErrorCode, Kind

from portico_users.directory.apps.app_record import App
from portico_users.directory.apps.vocabulary import ACCESS_TOKEN_TYPES, AUTH_METHODS, GRANT_TYPES, RESPONSE_TYPES
from portico_users.kernel.problems import at

FRACTION_OF_A_SECOND = ErrorCode(
    "USER-920",
    Kind.INVALID_REQUEST,
    "The clock skew must be in whole seconds.",
    "Use 0s to 5s.",
)

OidcSettings = app_service_pb2.AddOIDCAppRequest | app_service_pb2.UpdateOIDCAppConfigRequest
ApiSettings = app_service_pb2.AddAPIAppRequest | app_service_pb2.UpdateAPIAppConfigRequest


def with_oidc_settings(app: App, wanted: OidcSettings) -> App:
    """The application with all settings replaced, but for the optional ones the request does not have.

    Raises:
        ServiceError: USER-920.
    """
    return msgspec.structs.replace(
        app,
        auth_method=oidc_method(wanted.auth_method_type),
        redirect_uris=tuple(wanted.redirect_uris),
        post_logout_redirect_uris=tuple(wanted.post_logout_redirect_uris),
        response_types=_response_types(wanted),
        grant_types=_grant_types(wanted),
        app_type=AppTypeName(app_pb2.OIDCAppType.Name(wanted.app_type)),
        access_token_type=ACCESS_TOKEN_TYPES[AccessTokenTypeName(app_pb2.OIDCTokenType.Name(wanted.access_token_type))],
        dev_mode=wanted.dev_mode,
        access_token_role_assertion=wanted.access_token_role_assertion,
        id_token_role_assertion=wanted.id_token_role_assertion,
        id_token_userinfo_assertion=wanted.id_token_userinfo_assertion,
        additional_origins=tuple(wanted.additional_origins),
        back_channel_logout_uri=wanted.back_channel_logout_uri,
        id_token_signed_response_alg=wanted.id_token_signed_response_alg or "RS256",
        refresh_token_grace_seconds=wanted.refresh_token_grace_seconds,
        issuer_audience_only=wanted.client_assertion_audience == app_pb2.CLIENT_ASSERTION_AUDIENCE_ISSUER,
        clock_skew_seconds=_whole_seconds(wanted.clock_skew),
        assertion_jti_required=wanted.client_assertion_jti == app_pb2.CLIENT_ASSERTION_JTI_REQUIRED,
        hinted_logout=wanted.hinted_logout if wanted.HasField("hinted_logout") else app.hinted_logout,
        strict_auth_method=(
            wanted.strict_auth_method if wanted.HasField("strict_auth_method") else app.strict_auth_method
        ),
        roles_claim=wanted.roles_claim,
        logo_uri=wanted.logo_uri,
        policy_uri=wanted.policy_uri,
        tos_uri=wanted.tos_uri,
        management_access=wanted.management_access if wanted.HasField("management_access") else app.management_access,
    )


def with_api_settings(app: App, wanted: ApiSettings) -> App:
    """The API application with all settings replaced."""
    return msgspec.structs.replace(
        app,
        auth_method=api_method(wanted.auth_method_type),
        assertion_jti_required=wanted.client_assertion_jti == app_pb2.CLIENT_ASSERTION_JTI_REQUIRED,
    )


def oidc_method(method: app_pb2.OIDCAuthMethodType) -> AuthMethod:
    """The authentication method of an OIDC application."""
    return AUTH_METHODS[AuthMethodName(app_pb2.OIDCAuthMethodType.Name(method))]


def api_method(method: app_pb2.APIAuthMethodType) -> AuthMethod:
    """The authentication method of an API application."""
    return AUTH_METHODS[ApiAuthMethodName(app_pb2.APIAuthMethodType.Name(method))]


def _whole_seconds(skew: Duration) -> int:
    if skew.nanos:
        raise at("clockSkew", FRACTION_OF_A_SECOND.error())
    return int(skew.seconds)


def _response_types(wanted: OidcSettings) -> tuple[str, ...]:
    names = (ResponseTypeName(app_pb2.OIDCResponseType.Name(number)) for number in wanted.response_types)
    return tuple(RESPONSE_TYPES[name].value for name in names)


def _grant_types(wanted: OidcSettings) -> tuple[str, ...]:
    names = (GrantTypeName(app_pb2.OIDCGrantType.Name(number)) for number in wanted.grant_types)
    return tuple(GRANT_TYPES[name] for name in names)
