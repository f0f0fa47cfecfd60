from __future__ import annotations

from typing import Any, Final

from portico_contracts.apply import LdapIdp, Oauth2Idp, Oauth2PresetName, OidcIdp, OidcPresetName

from portico_cli.conversion.documents.authentik_values import Entry
from portico_cli.conversion.documents.draft import Draft
from portico_cli.conversion.documents.keycloak_idps import CALLBACK, DIRECTORY, KIND, NO_ISSUER, NO_SECRET, SCHEME
from portico_cli.conversion.findings import Reports

_PRESETS: Final = {
    "google": OidcPresetName.GOOGLE,
    "azuread": OidcPresetName.ENTRA,
    "entraid": OidcPresetName.ENTRA,
    "gitlab": OidcPresetName.GITLAB,
    "openidconnect": OidcPresetName.OIDC,
}
_DISCOVERY: Final = "/.well-known/openid-configuration"


def add_source(draft: Draft, entry: Entry) -> None:
    name = entry.text("name") or entry.text("slug")
    report = Reports(draft.findings, entry.place, f"source {name}")
    if "ldap" in entry.model:
        _add_directory(draft, entry, name, report)
    else:
        _add_provider(draft, entry, name, report)


def _add_provider(draft: Draft, entry: Entry, name: str, report: Reports) -> None:
    kind = entry.text("provider_type")
    if kind not in {*_PRESETS, "github"}:
        report(KIND, kind)
        return
    if not (entry.text("consumer_key") and entry.text("consumer_secret")):
        report(NO_SECRET, kind)
        return
    common: dict[str, Any] = {
        "id": f"{draft.id}-{entry.text('slug') or name}",
        "name": name,
        "client_id": entry.text("consumer_key"),
        "client_secret": entry.text("consumer_secret"),
        "auto_register": True,
    }
    if kind == "github":
        draft.oauth2_idps.append(Oauth2Idp(**common, preset=Oauth2PresetName.GITHUB))
    else:
        preset, issuer = _PRESETS[kind], entry.text("oidc_well_known_url").removesuffix(_DISCOVERY)
        if preset is OidcPresetName.OIDC and not issuer:
            report(NO_ISSUER)
            return
        draft.oidc_idps.append(OidcIdp(**common, preset=preset, issuer=issuer if preset is OidcPresetName.OIDC else ""))
    draft.findings.counted(CALLBACK)


def _add_directory(draft: Draft, entry: Entry, name: str, report: Reports) -> None:
    servers = tuple(entry.text("server_uri").replace(",", " ").split())
    if not (servers and entry.text("bind_cn") and entry.text("bind_password")):
        report(DIRECTORY)
        return
    start_tls = entry.attrs.get("start_tls") is True
    if not start_tls and not all(one.startswith("ldaps://") for one in servers):
        report(SCHEME)
        return
    parts = filter(None, (entry.text("additional_user_dn"), entry.text("base_dn")))
    draft.ldap_idps.append(
        LdapIdp(
            id=f"{draft.id}-{entry.text('slug') or name}",
            name=name,
            servers=servers,
            base_dn=",".join(parts),
            bind_dn=entry.text("bind_cn"),
            bind_password=entry.text("bind_password"),
            user_filters=("uid",),
            start_tls=start_tls,
        )
    )
    report.changed("a directory: users are found by uid; set userFilters for another attribute")
