"""Writes identity providers."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import msgspec
from portico_contracts.apply import (
    GroupGrant,
    JwtIdp,
    LdapIdp,
    Oauth2Idp,
    Oauth2PresetName,
    OidcIdp,
    OidcPresetName,
    ProviderAuthMethod,
    ProviderGroups,
    ProviderOptions,
    UserinfoClaims,
)

from portico_users.bulk.apply.idp_configs import MAPPINGS
from portico_users.bulk.apply.idps import AUTO_LINKINGS, STYLINGS
from portico_users.bulk.export.ldap_idps import ldap_idp
from portico_users.bulk.export.states import state_of
from portico_users.bulk.export.written import Notes
from portico_users.directory.identity_providers.claim_tables import ClaimTables
from portico_users.directory.identity_providers.idp import Idp, JwtConfig, Mapping, OidcConfig, Options, Styling
from portico_users.directory.identity_providers.ldap import LdapConfig
from portico_users.directory.identity_providers.oauth2_config import Oauth2Config
from portico_users.directory.identity_providers.presets.names import AuthMethod, PresetName

_STYLINGS = {value: name for name, value in STYLINGS.items()}
_MAPPINGS = {value: name for name, value in MAPPINGS.items()}
_AUTO_LINKINGS = {value: name for name, value in AUTO_LINKINGS.items()}

_NO_SECRET = "clientSecret is not exported: needed where it does not stand yet."
_NO_PASSWORD = "bindPassword is not exported: needed where it does not stand yet."


@dataclass(frozen=True, slots=True)
class WrittenIdps:
    """The identity providers of one owner, by kind."""

    jwt: list[JwtIdp] = field(default_factory=list)
    oidc: list[OidcIdp] = field(default_factory=list)
    oauth2: list[Oauth2Idp] = field(default_factory=list)
    ldap: list[LdapIdp] = field(default_factory=list)

    @property
    def lists(self) -> dict[str, Any]:
        """By the field of the document; None for an empty one."""
        return {
            "jwt_idps": tuple(self.jwt) or None,
            "oidc_idps": tuple(self.oidc) or None,
            "oauth2_idps": tuple(self.oauth2) or None,
            "ldap_idps": tuple(self.ldap) or None,
        }


def written_idps(found: Iterable[Idp], notes: Notes) -> WrittenIdps:
    """All of them as a document has them, without their secrets."""
    written = WrittenIdps()
    for idp in found:
        match idp.config:
            case JwtConfig() as config:
                written.jwt.append(_jwt(idp, config))
            case OidcConfig() as config:
                written.oidc.append(_oidc(idp, config))
            case Oauth2Config() as config:
                written.oauth2.append(_oauth2(idp, config))
            case LdapConfig() as config:
                written.ldap.append(_ldap(idp, config))
                notes.add(idp.id, _NO_PASSWORD)
                continue
        if idp.sealed_secret:
            notes.add(idp.id, _NO_SECRET)
    return written


def _jwt(idp: Idp, config: JwtConfig) -> JwtIdp:
    return JwtIdp(
        jwt_endpoint=config.jwt_endpoint,
        issuer=config.issuer,
        keys_endpoint=config.keys_endpoint,
        header_name=config.header_name,
        **_shared(idp),
    )


def _oidc(idp: Idp, config: OidcConfig) -> OidcIdp:
    names, users = config.display_name_mapping, config.username_mapping
    return OidcIdp(
        issuer=config.issuer,
        client_id=config.client_id,
        preset=OidcPresetName(config.preset.value) if config.preset is not PresetName.OIDC else None,
        auth_method=_auth_method(config.auth_method),
        hosted_domains=config.hosted_domains or None,
        tenants=config.tenants or None,
        team_id=config.team_id or None,
        key_id=config.key_id or None,
        scopes=config.scopes,
        display_name_mapping=_MAPPINGS[names] if names is not Mapping.UNSPECIFIED else None,
        username_mapping=_MAPPINGS[users] if users is not Mapping.UNSPECIFIED else None,
        trusted_email=config.trusted_email or None,
        **_shared(idp),
    )


def _oauth2(idp: Idp, config: Oauth2Config) -> Oauth2Idp:
    return Oauth2Idp(
        client_id=config.client_id,
        preset=Oauth2PresetName(config.preset.value) if config.preset is not PresetName.OAUTH2 else None,
        authorization_endpoint=config.authorization_endpoint,
        token_endpoint=config.token_endpoint,
        userinfo_endpoint=config.userinfo_endpoint,
        emails_endpoint=config.emails_endpoint,
        auth_method=_auth_method(config.auth_method),
        scopes=config.scopes,
        claims=UserinfoClaims(**msgspec.structs.asdict(config.claims)),
        trusted_email=config.trusted_email or None,
        **_shared(idp),
    )


def _ldap(idp: Idp, config: LdapConfig) -> LdapIdp:
    return msgspec.structs.replace(
        ldap_idp(idp, config),
        provider_options=_provider_options(idp.options),
        styling_type=_STYLINGS[idp.styling] if idp.styling is not Styling.UNSPECIFIED else None,
        state=state_of(idp),
    )


def _shared(idp: Idp) -> dict[str, Any]:
    return {
        "id": idp.id,
        "name": idp.name,
        "auto_register": idp.options.auto_creation,
        "provider_options": _provider_options(idp.options),
        "styling_type": _STYLINGS[idp.styling] if idp.styling is not Styling.UNSPECIFIED else None,
        "state": state_of(idp),
        **_tables(idp.tables),
    }


def _tables(tables: ClaimTables) -> dict[str, Any]:
    grants = tuple(
        GroupGrant(group=one.group, project=one.project_id, role_keys=one.role_keys) for one in tables.groups
    )
    return {
        "groups": ProviderGroups(claim=tables.groups_claim, grants=grants) if grants else None,
        "metadata": {one.claim: one.key for one in tables.metadata} or None,
        "amr": {one.value: one.methods for one in tables.amr} or None,
    }


def _auth_method(method: AuthMethod) -> ProviderAuthMethod | None:
    return ProviderAuthMethod(method.value) if method is not AuthMethod.AUTO else None


def _provider_options(options: Options) -> ProviderOptions | None:
    """The options that are not at their defaults; None where all are, but for that of ``autoRegister``."""
    if msgspec.structs.replace(options, auto_creation=False) == Options():
        return None
    return ProviderOptions(
        is_linking_allowed=options.linking,
        is_creation_allowed=options.creation,
        is_auto_update=options.auto_update,
        auto_linking=_AUTO_LINKINGS[options.auto_linking],
    )
