"""Applications as messages."""

from __future__ import annotations

from typing import Final

from google.protobuf.duration_pb2 import Duration
from portico_contracts.apply import (
    ApiAuthMethodName,
    AuthMethodName,
)
from portico_contracts.generated.portico.management.v1 import app_pb2 as pb
from portico_contracts.users import ClientKind
from portico_web.catalogue import load_catalogue
from portico_web.languages import Language

from portico_users.api.shared.details import details_of
from portico_users.api.shared.key_messages import replaced_of, until_of
from portico_users.directory.apps.app_record import App, has_management_access, origins_of
from portico_users.directory.apps.compliance import TEXTS, findings
from portico_users.directory.apps.vocabulary import ACCESS_TOKEN_TYPES, AUTH_METHODS, GRANT_TYPES, RESPONSE_TYPES
from portico_users.kernel.catalogue import PACKAGE
from portico_users.kernel.records import State

_STATES: Final = {State.ACTIVE: pb.APP_STATE_ACTIVE, State.INACTIVE: pb.APP_STATE_INACTIVE}
_RESPONSE_TYPES: Final = {value.value: name.value for name, value in RESPONSE_TYPES.items()}
_GRANT_TYPES: Final = {value: name.value for name, value in GRANT_TYPES.items()}
_TOKEN_TYPES: Final = {value: name.value for name, value in ACCESS_TOKEN_TYPES.items()}
_METHODS: Final = {AUTH_METHODS[name]: name.value for name in AuthMethodName}
_API_METHODS: Final = {AUTH_METHODS[name]: name.value for name in ApiAuthMethodName}


def app_message(app: App, language: Language) -> pb.App:
    """Everything that is shown of an application; never a secret."""
    message = pb.App(
        id=app.id,
        details=details_of(app),
        state=_STATES[app.state],
        name=app.name,
        previous_secret_replaced=replaced_of(app.previous_secret),
        previous_secret_until=until_of(app.previous_secret),
    )
    if app.kind is ClientKind.API:
        message.api_config.CopyFrom(
            pb.APIConfig(
                client_id=app.client_id, auth_method_type=_API_METHODS[app.auth_method], client_assertion_jti=_jti(app)
            )
        )
    else:
        message.oidc_config.CopyFrom(_oidc(app, language))
    return message


def compliance_of(app: App, language: Language) -> list[pb.ComplianceProblem]:
    """What is found about an application, in the language of the caller."""
    words = load_catalogue(PACKAGE, language.tag)
    return [pb.ComplianceProblem(key=key, localized_message=words.gettext(TEXTS[key])) for key in findings(app)]


def _oidc(app: App, language: Language) -> pb.OIDCConfig:
    problems = compliance_of(app, language)
    return pb.OIDCConfig(
        redirect_uris=app.redirect_uris,
        response_types=[_RESPONSE_TYPES[value] for value in app.response_types],
        grant_types=[_GRANT_TYPES[value] for value in app.grant_types],
        app_type=app.app_type.value,
        client_id=app.client_id,
        auth_method_type=_METHODS[app.auth_method],
        post_logout_redirect_uris=app.post_logout_redirect_uris,
        none_compliant=bool(problems),
        compliance_problems=problems,
        dev_mode=app.dev_mode,
        access_token_type=_TOKEN_TYPES[app.access_token_type],
        access_token_role_assertion=app.access_token_role_assertion,
        id_token_role_assertion=app.id_token_role_assertion,
        id_token_userinfo_assertion=app.id_token_userinfo_assertion,
        additional_origins=app.additional_origins,
        allowed_origins=origins_of(app),
        back_channel_logout_uri=app.back_channel_logout_uri,
        id_token_signed_response_alg=app.id_token_signed_response_alg,
        refresh_token_grace_seconds=app.refresh_token_grace_seconds,
        client_assertion_audience=pb.CLIENT_ASSERTION_AUDIENCE_ISSUER
        if app.issuer_audience_only
        else pb.CLIENT_ASSERTION_AUDIENCE_ANY,
        clock_skew=Duration(seconds=app.clock_skew_seconds),
        client_assertion_jti=_jti(app),
        hinted_logout=app.hinted_logout,
        logo_uri=app.logo_uri,
        policy_uri=app.policy_uri,
        tos_uri=app.tos_uri,
        management_access=has_management_access(app),
        strict_auth_method=app.strict_auth_method,
        roles_claim=app.roles_claim,
    )


def _jti(app: App) -> pb.ClientAssertionJti:
    return pb.CLIENT_ASSERTION_JTI_REQUIRED if app.assertion_jti_required else pb.CLIENT_ASSERTION_JTI_OPTIONAL
