"""The configuration of an identity provider of a document; what it does not state stays, as far as it is for the same."""

from __future__ import annotations

from typing import Any, Final

import msgspec
from portico_contracts.apply import (
    ClaimTables,
    JwtIdp,
    LdapIdp,
    MappingField,
    Oauth2Idp,
    OidcIdp,
)

from portico_users.bulk.apply.ldap_idps import ldap_config
from portico_users.directory.identity_providers import claim_tables
from portico_users.directory.identity_providers.claim_tables import MetadataClaim, TrustedMethod
from portico_users.directory.identity_providers.idp import AnyConfig, Idp, JwtConfig, Mapping, OidcConfig
from portico_users.directory.identity_providers.oauth2_config import ClaimPaths, Oauth2Config
from portico_users.directory.identity_providers.presets.completed import completed
from portico_users.directory.identity_providers.presets.names import AuthMethod, PresetName

AnyIdp = JwtIdp | OidcIdp | Oauth2Idp | LdapIdp

MAPPINGS: Final = {
    MappingField.UNSPECIFIED: Mapping.UNSPECIFIED,
    MappingField.PREFERRED_USERNAME: Mapping.PREFERRED_USERNAME,
    MappingField.EMAIL: Mapping.EMAIL,
}

_OF_PRESET: Final = ("hosted_domains", "tenants", "team_id", "key_id")


def config_of(wanted: AnyIdp, before: AnyConfig | None) -> AnyConfig:
    """The configuration the document describes, completed by its preset."""
    match wanted:
        case JwtIdp():
            return JwtConfig(
                jwt_endpoint=wanted.jwt_endpoint,
                issuer=wanted.issuer,
                keys_endpoint=wanted.keys_endpoint,
                header_name=wanted.header_name,
            )
        case OidcIdp():
            return _oidc(wanted, before)
        case Oauth2Idp():
            return _oauth2(wanted, before)
        case LdapIdp():
            return ldap_config(wanted)


def tables_of(wanted: ClaimTables, before: Idp | None, config: AnyConfig) -> claim_tables.ClaimTables:
    """The tables with the groups as they are stored: new ones name projects that are not planned yet."""
    tables = before.tables if before else claim_tables.ClaimTables()
    if before and config.issuer != before.config.issuer:
        tables = tables.without_trust()
    if wanted.metadata is not None:
        lines = tuple(MetadataClaim(claim=claim, key=key) for claim, key in sorted(wanted.metadata.items()))
        tables = msgspec.structs.replace(tables, metadata=lines)
    if wanted.amr is not None:
        trusted = tuple(TrustedMethod(value=value, methods=methods) for value, methods in sorted(wanted.amr.items()))
        tables = msgspec.structs.replace(tables, amr=trusted)
    return tables


def _oidc(wanted: OidcIdp, before: AnyConfig | None) -> AnyConfig:
    config = before if isinstance(before, OidcConfig) else OidcConfig(issuer="", client_id="")
    preset = PresetName(wanted.preset.value) if wanted.preset else config.preset
    if preset is not config.preset:
        mappings = {name: getattr(config, name) for name in ("display_name_mapping", "username_mapping")}
        config = OidcConfig(issuer=config.issuer, client_id="", trusted_email=config.trusted_email, **mappings)
    stated: dict[str, Any] = {name: getattr(wanted, name) for name in _OF_PRESET}
    stated["auth_method"] = AuthMethod(wanted.auth_method.value) if wanted.auth_method else None
    for name in ("display_name_mapping", "username_mapping"):
        mapping = getattr(wanted, name)
        stated[name] = None if mapping is None else MAPPINGS[mapping]
    replaced = msgspec.structs.replace(
        config,
        preset=preset,
        issuer=wanted.issuer,
        client_id=wanted.client_id,
        scopes=tuple(wanted.scopes),
        **{name: value for name, value in stated.items() if value is not None},
    )
    after = completed(replaced)
    trusted = after.trusted_like(before) if isinstance(after, OidcConfig) and before else after
    return _trusted(trusted, wanted.trusted_email)


def _oauth2(wanted: Oauth2Idp, before: AnyConfig | None) -> AnyConfig:
    claims = msgspec.structs.asdict(wanted.claims) if wanted.claims else {}
    config = completed(
        Oauth2Config(
            authorization_endpoint=wanted.authorization_endpoint,
            token_endpoint=wanted.token_endpoint,
            userinfo_endpoint=wanted.userinfo_endpoint,
            emails_endpoint=wanted.emails_endpoint,
            client_id=wanted.client_id,
            scopes=wanted.scopes,
            claims=ClaimPaths(**claims),
            preset=PresetName(wanted.preset.value) if wanted.preset else _preset_of(before),
            auth_method=AuthMethod(wanted.auth_method.value) if wanted.auth_method else AuthMethod.AUTO,
        )
    )
    after = config.trusted_like(before) if isinstance(config, Oauth2Config) else config
    return _trusted(after, wanted.trusted_email)


def _preset_of(before: AnyConfig | None) -> PresetName:
    return before.preset if isinstance(before, Oauth2Config) else PresetName.OAUTH2


def _trusted(config: AnyConfig, stated: bool | None) -> AnyConfig:
    return config if stated is None else msgspec.structs.replace(config, trusted_email=stated)
