"""The configuration of an identity provider of a document; what it does not state stays, as far as it is for the same."""

from __future__ import annotations

import msgspec
from portico_contracts.apply import (
    ClaimTables,
    JwtIdp,
    LdapIdp,
    Oauth2Idp,
    OidcIdp,
)

from portico_users.directory.identity_providers import claim_tables
from portico_users.directory.identity_providers.claim_tables import MetadataClaim, TrustedMethod
from portico_users.directory.identity_providers.idp import AnyConfig, Idp, OidcConfig
from portico_users.directory.identity_providers.idp_fields import JWT, LDAP, OAUTH2, OIDC
from portico_users.directory.identity_providers.oauth2_config import Oauth2Config
from portico_users.directory.identity_providers.presets.completed import completed
from portico_users.directory.identity_providers.presets.names import PresetName
from portico_users.kernel.fields import DeclaredValues

AnyIdp = JwtIdp | OidcIdp | Oauth2Idp | LdapIdp


def config_of(wanted: AnyIdp, before: AnyConfig | None) -> AnyConfig:
    """The configuration the document describes, completed by its preset."""
    match wanted:
        case JwtIdp():
            return JWT.new(DeclaredValues(wanted))
        case OidcIdp():
            return _oidc(wanted, before)
        case Oauth2Idp():
            return _oauth2(wanted, before)
        case LdapIdp():
            return LDAP.new(DeclaredValues(wanted))


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
    if wanted.preset is not None and wanted.preset.value != config.preset.value:
        mappings = {name: getattr(config, name) for name in ("display_name_mapping", "username_mapping")}
        config = OidcConfig(issuer=config.issuer, client_id="", trusted_email=config.trusted_email, **mappings)
    after = completed(OIDC.changed(config, DeclaredValues(wanted)))
    is_stated = wanted.trusted_email is not None
    return after if is_stated or before is None or not isinstance(after, OidcConfig) else after.trusted_like(before)


def _oauth2(wanted: Oauth2Idp, before: AnyConfig | None) -> AnyConfig:
    preset = before.preset if isinstance(before, Oauth2Config) else PresetName.OAUTH2
    after = completed(OAUTH2.changed(Oauth2Config(client_id="", preset=preset), DeclaredValues(wanted)))
    is_stated = wanted.trusted_email is not None
    return after if is_stated or not isinstance(after, Oauth2Config) else after.trusted_like(before)
