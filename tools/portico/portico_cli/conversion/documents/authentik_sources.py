from __future__ import annotations

import re
from typing import Any, Final

from portico_contracts.apply import LdapIdp, Oauth2Idp, Oauth2PresetName, ObjectState, OidcIdp, OidcPresetName

from portico_cli.conversion.documents.authentik_values import Entry
from portico_cli.conversion.documents.draft import Draft
from portico_cli.conversion.documents.providers import (
    CALLBACK,
    DIRECTORY,
    FILTER,
    KIND,
    NO_ISSUER,
    NO_SECRET,
    SCHEME,
    apple_members,
    microsoft_issuer,
    provider_id,
)
from portico_cli.conversion.findings import Reports

_PRESETS: Final = {
    "google": OidcPresetName.GOOGLE,
    "azuread": OidcPresetName.ENTRA,
    "entraid": OidcPresetName.ENTRA,
    "gitlab": OidcPresetName.GITLAB,
    "openidconnect": OidcPresetName.OIDC,
    "apple": OidcPresetName.APPLE,
}
_DISCOVERY: Final = "/.well-known/openid-configuration"
_ONE_CLASS: Final = re.compile(r"\(objectClass=([A-Za-z][A-Za-z0-9-]*)\)", re.IGNORECASE)
_TENANT: Final = re.compile(r"https://login\.microsoftonline\.com/([^/]+)/")


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
        "id": provider_id(draft.id, entry.text("slug") or name),
        "name": name,
        "client_id": entry.text("consumer_key"),
        "client_secret": entry.text("consumer_secret"),
        # A source without this flow is only for users who exist.
        "auto_register": entry.attrs.get("enrollment_flow", True) is not None,
        "state": _state(entry),
    }
    if kind == "github":
        draft.oauth2_idps.append(Oauth2Idp(**common | _github(entry)))
    elif (oidc := _oidc(_PRESETS[kind], entry, report)) is None:
        return
    else:
        draft.oidc_idps.append(OidcIdp(**common | oidc))
    draft.findings.counted(CALLBACK)


def _github(entry: Entry) -> dict[str, Any]:
    address = entry.text("authorization_url")
    if not address or address.startswith("https://github.com/"):
        return {"preset": Oauth2PresetName.GITHUB}
    return {
        "preset": Oauth2PresetName.GITHUB_ENTERPRISE,
        "authorization_endpoint": address,
        "token_endpoint": entry.text("access_token_url"),
        "userinfo_endpoint": entry.text("profile_url"),
    }


def _oidc(preset: OidcPresetName, entry: Entry, report: Reports) -> dict[str, Any] | None:
    issuer: str | None = entry.text("oidc_well_known_url").removesuffix(_DISCOVERY)
    match preset:
        case OidcPresetName.APPLE:
            parts = [one.strip() for one in entry.text("consumer_key").split(";")]
            client_id, team_id, key_id = (*parts, "", "", "")[:3]
            return {"client_id": client_id} | apple_members(team_id, key_id, entry.text("consumer_secret"))
        case OidcPresetName.ENTRA:
            issuer = microsoft_issuer(_tenant(entry), report)
            return None if issuer is None else {"preset": preset, "issuer": issuer}
        case OidcPresetName.GITLAB if issuer and issuer != "https://gitlab.com":
            return {"preset": OidcPresetName.GITLAB_SELF_MANAGED, "issuer": issuer}
        case OidcPresetName.OIDC if not issuer:
            report(NO_ISSUER)
            return None
    return {"preset": preset, "issuer": issuer if preset is OidcPresetName.OIDC else ""}


def _tenant(entry: Entry) -> str:
    for name in ("oidc_well_known_url", "authorization_url", "access_token_url"):
        if found := _TENANT.match(entry.text(name)):
            return found[1]
    return ""


def _add_directory(draft: Draft, entry: Entry, name: str, report: Reports) -> None:
    servers = tuple(entry.text("server_uri").replace(",", " ").split())
    if not (servers and entry.text("bind_cn") and entry.text("bind_password")):
        report(DIRECTORY)
        return
    start_tls = entry.attrs.get("start_tls") is True
    if not start_tls and not all(one.startswith("ldaps://") for one in servers):
        report(SCHEME)
        return
    search_filter = entry.text("user_object_filter").strip()
    one_class = _ONE_CLASS.fullmatch(search_filter)
    if search_filter and not one_class:
        report(FILTER, f"user_object_filter: {search_filter}")
    parts = filter(None, (entry.text("additional_user_dn"), entry.text("base_dn")))
    draft.ldap_idps.append(
        LdapIdp(
            id=provider_id(draft.id, entry.text("slug") or name),
            name=name,
            servers=servers,
            base_dn=",".join(parts),
            bind_dn=entry.text("bind_cn"),
            bind_password=entry.text("bind_password"),
            user_filters=("uid",),
            user_object_classes=(one_class[1],) if one_class else (),
            start_tls=start_tls,
            state=_state(entry),
        )
    )
    report.changed("a directory: users are found by uid; set userFilters for another attribute")


def _state(entry: Entry) -> ObjectState | None:
    return ObjectState.INACTIVE if entry.attrs.get("enabled") is False else None
