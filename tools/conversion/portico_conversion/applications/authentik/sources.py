from __future__ import annotations

import re
from typing import Any, Final

from portico_contracts.apply import LdapIdp, Oauth2Idp, Oauth2PresetName, ObjectState, OidcIdp, OidcPresetName

from portico_conversion.applications.authentik.entries import Entry
from portico_conversion.applications.draft import Draft
from portico_conversion.applications.providers import (
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
from portico_conversion.findings import Reports
from portico_conversion.reading.records import Record, read_record

_PRESETS: Final = {
    "google": OidcPresetName.GOOGLE,
    "azuread": OidcPresetName.ENTRA,
    "entraid": OidcPresetName.ENTRA,
    "gitlab": OidcPresetName.GITLAB,
    "openidconnect": OidcPresetName.OIDC,
    "apple": OidcPresetName.APPLE,
    "okta": OidcPresetName.OKTA,
    "slack": OidcPresetName.SLACK,
}
_OAUTH2: Final = {
    "discord": Oauth2PresetName.DISCORD,
    "facebook": Oauth2PresetName.FACEBOOK,
    "twitter": Oauth2PresetName.X,
}
_DISCOVERY: Final = "/.well-known/openid-configuration"
_ONE_CLASS: Final = re.compile(r"\(objectClass=([A-Za-z][A-Za-z0-9-]*)\)", re.IGNORECASE)
_TENANT: Final = re.compile(r"https://login\.microsoftonline\.com/([^/]+)/")


_OF_NEARLY_ALL: Final = frozenset(
    {
        "pk",
        "authentication_flow",
        "enrollment_flow",
        "user_property_mappings",
        "group_property_mappings",
        "user_path_template",
        "icon",
        "sync_users",
        "sync_groups",
        "sync_users_password",
    }
)


class _Source(Record, frozen=True, rename=None):
    """The members of sources of both kinds."""

    name: str = ""
    slug: str = ""
    enabled: bool = True
    provider_type: str = ""
    consumer_key: str = ""
    consumer_secret: str = ""
    oidc_well_known_url: str = ""
    authorization_url: str = ""
    access_token_url: str = ""
    profile_url: str = ""
    server_uri: str = ""
    bind_cn: str = ""
    bind_password: str = ""
    base_dn: str = ""
    additional_user_dn: str = ""
    user_object_filter: str = ""
    start_tls: bool = False

    whole = True
    usual = _OF_NEARLY_ALL

    @property
    def title(self) -> str:
        return f"source {self.name or self.slug}"


def add_source(draft: Draft, entry: Entry) -> None:
    source = read_record(entry.attrs, _Source, entry.place, draft.findings)
    if source is None:
        return
    report = Reports(draft.findings, entry.place, source.title)
    if "ldap" in entry.model:
        _add_directory(draft, source, report)
    else:
        # A source without this flow is only for users who exist.
        is_for_all = entry.attrs.get("enrollment_flow", True) is not None
        _add_provider(draft, source, report, auto_register=is_for_all)


def _add_provider(draft: Draft, source: _Source, report: Reports, *, auto_register: bool) -> None:
    kind = source.provider_type
    if kind not in {*_PRESETS, *_OAUTH2, "github"}:
        report(KIND, kind)
        return
    if not (source.consumer_key and source.consumer_secret):
        report(NO_SECRET, kind)
        return
    common: dict[str, Any] = {
        "id": provider_id(draft.id, source.slug or source.name),
        "name": source.name or source.slug,
        "client_id": source.consumer_key,
        "client_secret": source.consumer_secret,
        "auto_register": auto_register,
        "state": _state(source),
    }
    if kind in {*_OAUTH2, "github"}:
        oauth2 = _github(source) if kind == "github" else {"preset": _OAUTH2[kind]}
        draft.oauth2_idps.append(Oauth2Idp(**common | oauth2))
    elif (oidc := _oidc(_PRESETS[kind], source, report)) is None:
        return
    else:
        draft.oidc_idps.append(OidcIdp(**common | oidc))
    draft.findings.counted(CALLBACK)


def _github(source: _Source) -> dict[str, Any]:
    address = source.authorization_url
    if not address or address.startswith("https://github.com/"):
        return {"preset": Oauth2PresetName.GITHUB}
    return {
        "preset": Oauth2PresetName.GITHUB_ENTERPRISE,
        "authorization_endpoint": address,
        "token_endpoint": source.access_token_url,
        "userinfo_endpoint": source.profile_url,
    }


def _oidc(preset: OidcPresetName, source: _Source, report: Reports) -> dict[str, Any] | None:
    issuer: str | None = source.oidc_well_known_url.removesuffix(_DISCOVERY)
    match preset:
        case OidcPresetName.APPLE:
            parts = [one.strip() for one in source.consumer_key.split(";")]
            client_id, team_id, key_id = (*parts, "", "", "")[:3]
            return {"client_id": client_id} | apple_members(team_id, key_id, source.consumer_secret)
        case OidcPresetName.ENTRA:
            issuer = microsoft_issuer(_tenant(source), report)
            return None if issuer is None else {"preset": preset, "issuer": issuer}
        case OidcPresetName.GITLAB if issuer and issuer != "https://gitlab.com":
            return {"preset": OidcPresetName.GITLAB_SELF_MANAGED, "issuer": issuer}
        case OidcPresetName.OIDC | OidcPresetName.OKTA if not issuer:
            report(NO_ISSUER)
            return None
    return {"preset": preset, "issuer": issuer if preset in (OidcPresetName.OIDC, OidcPresetName.OKTA) else ""}


def _tenant(source: _Source) -> str:
    for address in (source.oidc_well_known_url, source.authorization_url, source.access_token_url):
        if found := _TENANT.match(address):
            return found[1]
    return ""


def _add_directory(draft: Draft, source: _Source, report: Reports) -> None:
    servers = tuple(source.server_uri.replace(",", " ").split())
    if not (servers and source.bind_cn and source.bind_password):
        report(DIRECTORY)
        return
    if not source.start_tls and not all(one.startswith("ldaps://") for one in servers):
        report(SCHEME)
        return
    search_filter = source.user_object_filter.strip()
    one_class = _ONE_CLASS.fullmatch(search_filter)
    if search_filter and not one_class:
        report(FILTER, f"user_object_filter: {search_filter}")
    parts = filter(None, (source.additional_user_dn, source.base_dn))
    draft.ldap_idps.append(
        LdapIdp(
            id=provider_id(draft.id, source.slug or source.name),
            name=source.name or source.slug,
            servers=servers,
            base_dn=",".join(parts),
            bind_dn=source.bind_cn,
            bind_password=source.bind_password,
            user_filters=("uid",),
            user_object_classes=(one_class[1],) if one_class else (),
            start_tls=source.start_tls,
            state=_state(source),
        )
    )
    report.changed("a directory: users are found by uid; set userFilters for another attribute")


def _state(source: _Source) -> ObjectState | None:
    return None if source.enabled else ObjectState.INACTIVE
