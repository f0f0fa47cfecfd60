"""Identity providers and directories of a Keycloak realm."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from portico_contracts.apply import LdapAttributes, LdapIdp, Oauth2Idp, Oauth2PresetName, OidcIdp, OidcPresetName
from portico_contracts.apply.vocabulary import ObjectState, ProviderAuthMethod

from portico_cli.conversion.documents.draft import Draft
from portico_cli.conversion.documents.old_client import is_masked
from portico_cli.conversion.findings import Place, Reports
from portico_cli.conversion.records import Record

KIND: Final = "an identity provider of a kind that is not supported"
NO_SECRET: Final = "an identity provider whose secret is not in the export: add it with its secret"
NO_ISSUER: Final = "an identity provider without an issuer: add it with its discovery address"
CALLBACK: Final = "an identity provider: register its new redirect URI there (docs/guides/identity-providers.md)"
DIRECTORY: Final = "a user federation that is not LDAP with TLS, a bind user and a password in the export"
SCHEME: Final = "ldap:// without StartTLS: use ldaps:// or startTls"

_PRESETS: Final = {
    "google": OidcPresetName.GOOGLE,
    "oidc": OidcPresetName.OIDC,
    "keycloak-oidc": OidcPresetName.OIDC,
    "gitlab": OidcPresetName.GITLAB,
}
_METHODS: Final = {
    "client_secret_post": ProviderAuthMethod.CLIENT_SECRET_POST,
    "client_secret_basic": ProviderAuthMethod.CLIENT_SECRET_BASIC,
}
_STORAGE: Final = "org.keycloak.storage.UserStorageProvider"
_LDAP_ATTRIBUTES: Final = {
    "username": "preferred_username_attribute",
    "firstName": "first_name_attribute",
    "lastName": "last_name_attribute",
    "email": "email_attribute",
}


class Provider(Record, frozen=True):
    alias: str
    provider_id: str
    display_name: str = ""
    enabled: bool = True
    trust_email: bool = False
    link_only: bool = False
    config: dict[str, str] = {}


class Component(Record, frozen=True):
    name: str = ""
    provider_id: str = ""
    config: dict[str, list[str]] = {}
    sub_components: dict[str, list[Any]] = {}


def add_provider(draft: Draft, place: Place, provider: Provider) -> None:
    kind, config = provider.provider_id, provider.config

    report = Reports(draft.findings, place, f"identity provider {provider.alias}")
    secret = config.get("clientSecret", "")
    if kind not in {*_PRESETS, "microsoft", "github"}:
        report(KIND, kind)
        return
    if not secret or is_masked(secret):
        report(NO_SECRET)
        return
    common: dict[str, Any] = {
        "id": f"{draft.id}-{provider.alias}",
        "name": provider.display_name or provider.alias,
        "client_id": config.get("clientId", ""),
        "client_secret": secret,
        "auto_register": not provider.link_only,
        "state": None if provider.enabled else ObjectState.INACTIVE,
    }
    if kind == "github":
        draft.oauth2_idps.append(Oauth2Idp(**common, preset=Oauth2PresetName.GITHUB))
        draft.findings.counted(CALLBACK)
        return
    preset, issuer = _PRESETS.get(kind, OidcPresetName.ENTRA), config.get("issuer", "")
    if preset is OidcPresetName.OIDC and not issuer:
        report(NO_ISSUER)
        return
    draft.findings.counted(CALLBACK)
    draft.oidc_idps.append(
        OidcIdp(
            **common,
            preset=preset,
            issuer=issuer if preset is OidcPresetName.OIDC else "",
            auth_method=_METHODS.get(config.get("clientAuthMethod", "")),
            scopes=tuple(config.get("defaultScope", "").split()),
            trusted_email=provider.trust_email,
            hosted_domains=tuple(filter(None, [config.get("hostedDomain", "")])) or None,
        )
    )


def add_directories(draft: Draft, place: Place, components: Mapping[str, Sequence[Component]]) -> None:
    for one in components.get(_STORAGE, ()):
        _add_directory(draft, place, one)


def _add_directory(draft: Draft, place: Place, component: Component) -> None:
    config = {name: values[0] for name, values in component.config.items() if values}

    report = Reports(draft.findings, place, f"user federation {component.name}")
    servers, password = tuple(config.get("connectionUrl", "").split()), config.get("bindCredential", "")
    start_tls = config.get("startTls") == "true"
    if component.provider_id != "ldap" or not servers or not password or is_masked(password):
        report(DIRECTORY, component.provider_id)
        return
    if not start_tls and not all(one.startswith("ldaps://") for one in servers):
        report(SCHEME)
        return
    draft.ldap_idps.append(
        LdapIdp(
            id=f"{draft.id}-{component.name}",
            name=component.name,
            servers=servers,
            base_dn=config.get("usersDn", ""),
            bind_dn=config.get("bindDn", ""),
            bind_password=password,
            user_filters=(config.get("usernameLDAPAttribute", "uid"),),
            user_object_classes=tuple(one.strip() for one in config.get("userObjectClasses", "").split(",") if one),
            start_tls=start_tls,
            attributes=_attributes(component, config.get("uuidLDAPAttribute", "")),
            state=None if config.get("enabled", "true") == "true" else ObjectState.INACTIVE,
        )
    )


def _attributes(component: Component, id_attribute: str) -> LdapAttributes:
    found = {"id_attribute": id_attribute}
    for mappers in component.sub_components.values():
        for mapper in mappers:
            config = mapper.get("config", {}) if isinstance(mapper, dict) else {}
            ours = _LDAP_ATTRIBUTES.get(_first(config, "user.model.attribute"))
            if ours:
                found[ours] = _first(config, "ldap.attribute")
    return LdapAttributes(**found)


def _first(config: Mapping[str, Any], name: str) -> str:
    values = config.get(name)
    return str(values[0]) if isinstance(values, list) and values else ""
