from __future__ import annotations

from collections.abc import Collection
from typing import Any, Final

import msgspec
from portico_contracts.apply import Oauth2Idp, Oauth2PresetName, ObjectState, OidcIdp, OidcPresetName

from portico_conversion.applications.draft import Draft
from portico_conversion.applications.providers import (
    CALLBACK,
    KIND,
    NO_ISSUER,
    NO_SECRET,
    apple_members,
    microsoft_issuer,
    provider_id,
)
from portico_conversion.findings import Reports
from portico_conversion.reading.records import Record
from portico_conversion.reading.yaml_files import Object

SOME_CLIENTS: Final = "a connection of some applications only: its users can sign in to all applications here"

_PRESETS: Final = {
    "google-oauth2": OidcPresetName.GOOGLE,
    "google-apps": OidcPresetName.GOOGLE,
    "waad": OidcPresetName.ENTRA,
    "apple": OidcPresetName.APPLE,
    "oidc": OidcPresetName.OIDC,
    "okta": OidcPresetName.OKTA,
    "linkedin": OidcPresetName.LINKEDIN,
}
_OAUTH2: Final = {"github": Oauth2PresetName.GITHUB, "facebook": Oauth2PresetName.FACEBOOK}
_OF_NEARLY_ALL: Final = frozenset({"is_domain_connection", "realms", "show_as_button"})
_OF_OPTIONS: Final = frozenset({"email", "profile", "set_user_root_attributes", "type"})


class _Options(Record, frozen=True, rename=None):
    client_id: str = ""
    client_secret: str = ""
    issuer: str = ""
    scope: list[str] | str = ""
    domain: str = ""
    tenant_domain: str = ""
    tenant_id: str = msgspec.field(default="", name="tenantId")
    use_common_endpoint: bool = msgspec.field(default=False, name="useCommonEndpoint")
    app_secret: str = ""
    team_id: str = ""
    kid: str = ""

    usual = _OF_OPTIONS


class Connection(Record, frozen=True, rename=None):
    name: str
    strategy: str = ""
    enabled_clients: list[str] | None = None
    options: _Options = _Options()

    whole = True
    usual = _OF_NEARLY_ALL

    @property
    def title(self) -> str:
        return f"connection {self.name}"


def add_connection(draft: Draft, value: Object, connection: Connection) -> None:
    about = value.place, connection.title
    report, options = Reports(draft.findings, *about), connection.options
    if connection.strategy not in {*_PRESETS, *_OAUTH2}:
        report(KIND, connection.strategy)
        return
    secret = options.app_secret if connection.strategy == "apple" else options.client_secret
    if not (options.client_id and secret):
        report(NO_SECRET, connection.strategy)
        return
    common: dict[str, Any] = {
        "id": provider_id(draft.id, connection.name),
        "name": connection.name,
        "client_id": options.client_id,
        "client_secret": secret,
        "auto_register": True,
        "state": ObjectState.INACTIVE if connection.enabled_clients == [] else None,
    }
    if connection.strategy in _OAUTH2:
        draft.oauth2_idps.append(Oauth2Idp(**common, preset=_OAUTH2[connection.strategy]))
    elif (oidc := _oidc(connection.strategy, options, report)) is None:
        return
    else:
        draft.oidc_idps.append(OidcIdp(**common | oidc))
    draft.findings.counted(CALLBACK)
    if connection.enabled_clients:
        report_clients(draft, connection.enabled_clients, report)


def report_clients(draft: Draft, enabled: Collection[str] | None, report: Reports) -> None:
    """Reports applications that the connection excludes: `enabled` are names or client ids, None if not exported."""
    apps = [app for project in draft.projects for app in project.oidc_apps]
    excluded = [app.name for app in apps if enabled is not None and not {app.name, app.client_id} & {*enabled}]
    if excluded:
        report(SOME_CLIENTS, f"not {', '.join(excluded)}")


def _oidc(strategy: str, options: _Options, report: Reports) -> dict[str, Any] | None:
    """Returns the members besides the common ones. The presets know their scopes; Auth0 lists others for them."""
    preset = _PRESETS[strategy]
    match preset:
        case OidcPresetName.APPLE:
            return apple_members(options.team_id, options.kid, options.app_secret)
        case OidcPresetName.ENTRA:
            tenant = "" if options.use_common_endpoint else options.tenant_id or options.tenant_domain or options.domain
            issuer = microsoft_issuer(tenant, report)
            return None if issuer is None else {"preset": preset, "issuer": issuer}
        case OidcPresetName.GOOGLE:
            # Only a connection to Google Workspace has a domain.
            domain = options.tenant_domain or options.domain
            return {"preset": preset, "hosted_domains": (domain.lower(),) if domain else None}
        case OidcPresetName.LINKEDIN:
            return {"preset": preset}
    # Connections to Okta have its domain.
    issuer = options.issuer or (options.domain if preset is OidcPresetName.OKTA else "")
    if not issuer:
        report(NO_ISSUER)
        return None
    scopes = options.scope.split() if isinstance(options.scope, str) else options.scope
    return {"preset": preset, "issuer": issuer, "scopes": tuple(scopes)}
