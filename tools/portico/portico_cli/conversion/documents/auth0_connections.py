from __future__ import annotations

from typing import Any, Final

from portico_contracts.apply import Oauth2Idp, Oauth2PresetName, OidcIdp, OidcPresetName

from portico_cli.conversion.documents.draft import Draft
from portico_cli.conversion.documents.keycloak_idps import CALLBACK, KIND, NO_ISSUER, NO_SECRET
from portico_cli.conversion.findings import Place, Reports
from portico_cli.conversion.records import Record

_PRESETS: Final = {
    "google-oauth2": OidcPresetName.GOOGLE,
    "google-apps": OidcPresetName.GOOGLE,
    "waad": OidcPresetName.ENTRA,
    "oidc": OidcPresetName.OIDC,
    "okta": OidcPresetName.OIDC,
}


class _Options(Record, frozen=True, rename=None):
    client_id: str = ""
    client_secret: str = ""
    issuer: str = ""
    scope: list[str] | str = ""
    tenant_domain: str = ""


class Connection(Record, frozen=True, rename=None):
    name: str
    strategy: str = ""
    options: _Options = _Options()


def add_connection(draft: Draft, place: Place, connection: Connection) -> None:
    report, options = Reports(draft.findings, place, f"connection {connection.name}"), connection.options
    if connection.strategy not in {*_PRESETS, "github"}:
        report(KIND, connection.strategy)
        return
    if not (options.client_id and options.client_secret) or "##" in options.client_secret:
        report(NO_SECRET, connection.strategy)
        return
    common: dict[str, Any] = {
        "id": f"{draft.id}-{connection.name}",
        "name": connection.name,
        "client_id": options.client_id,
        "client_secret": options.client_secret,
        "auto_register": True,
    }
    if connection.strategy == "github":
        draft.oauth2_idps.append(Oauth2Idp(**common, preset=Oauth2PresetName.GITHUB))
    else:
        preset = _PRESETS[connection.strategy]
        if preset is OidcPresetName.OIDC and not options.issuer:
            report(NO_ISSUER)
            return
        scopes = options.scope.split() if isinstance(options.scope, str) else options.scope
        issuer = options.issuer if preset is OidcPresetName.OIDC else ""
        draft.oidc_idps.append(OidcIdp(**common, preset=preset, issuer=issuer, scopes=_scopes(preset, scopes)))
    draft.findings.counted(CALLBACK)


def _scopes(preset: OidcPresetName, scopes: list[str]) -> tuple[str, ...]:
    """The presets know their scopes; Auth0 lists others for them."""
    return tuple(scopes) if preset is OidcPresetName.OIDC else ()
