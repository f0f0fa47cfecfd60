"""Applications as messages."""

from __future__ import annotations

import msgspec
from portico_contracts.generated.portico.management.v1 import app_service_pb2 as pb
from portico_contracts.users import ClientKind
from portico_web.catalogue import load_catalogue
from portico_web.languages import Language

from portico_users.api.shared.details import details_of
from portico_users.api.shared.key_messages import replaced_of, until_of
from portico_users.api.shared.messages import MessageValues, message_of
from portico_users.directory.apps.app_record import API_APP, OIDC_APP, App, origins_of
from portico_users.directory.apps.compliance import TEXTS, findings
from portico_users.kernel.catalogue import PACKAGE

OidcSettings = pb.AddOIDCAppRequest | pb.UpdateOIDCAppConfigRequest
ApiSettings = pb.AddAPIAppRequest | pb.UpdateAPIAppConfigRequest


def with_oidc_settings(app: App, wanted: OidcSettings) -> App:
    """The application with all settings replaced, but for the optional ones the request does not have.

    Raises:
        ServiceError: USER-920.
    """
    after = OIDC_APP.changed(app, MessageValues(wanted))
    return msgspec.structs.replace(after, id_token_signed_response_alg=wanted.id_token_signed_response_alg or "RS256")


def with_api_settings(app: App, wanted: ApiSettings) -> App:
    """The API application with all settings replaced."""
    return API_APP.changed(app, MessageValues(wanted))


def app_message(app: App, language: Language) -> pb.App:
    """Everything that is shown of an application; never a secret."""
    is_api = app.kind is ClientKind.API
    config = {"api_config": message_of(pb.APIConfig, API_APP, app)} if is_api else {"oidc_config": _oidc(app, language)}
    return message_of(
        pb.App,
        OIDC_APP,
        app,
        id=app.id,
        details=details_of(app),
        previous_secret_replaced=replaced_of(app.previous_secret),
        previous_secret_until=until_of(app.previous_secret),
        **config,
    )


def compliance_of(app: App, language: Language) -> list[pb.ComplianceProblem]:
    """What is found about an application, in the language of the caller."""
    words = load_catalogue(PACKAGE, language.tag)
    return [pb.ComplianceProblem(key=key, localized_message=words.gettext(TEXTS[key])) for key in findings(app)]


def _oidc(app: App, language: Language) -> pb.OIDCConfig:
    problems = compliance_of(app, language)
    return message_of(
        pb.OIDCConfig,
        OIDC_APP,
        app,
        none_compliant=bool(problems),
        compliance_problems=problems,
        allowed_origins=origins_of(app),
    )
