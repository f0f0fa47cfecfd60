from __future__ import annotations

from enum import StrEnum
from typing import Final

import msgspec
from portico_contracts.users import OfferedProvider, ProviderKind

from portico_users.identity_providers.assertions.accepted import NONE_ACCEPTED, AcceptedAssertions
from portico_users.identity_providers.claim_tables import ClaimTables
from portico_users.identity_providers.ldap import LdapConfig
from portico_users.identity_providers.oauth2_config import Oauth2Config
from portico_users.identity_providers.presets.names import AuthMethod, PresetName
from portico_users.values.names import INSTANCE
from portico_users.values.records import Record

DEFAULT_HEADER: Final = "authorization"


class Styling(StrEnum):
    UNSPECIFIED = "unspecified"
    GOOGLE = "google"


class Mapping(StrEnum):
    """The OIDC claim that provides a name of the user."""

    UNSPECIFIED = "unspecified"
    PREFERRED_USERNAME = "preferred_username"
    EMAIL = "email"


class AutoLinking(StrEnum):
    """Which account is offered for linking at the first sign-in; the user must authenticate for it."""

    NONE = "none"
    USERNAME = "username"
    EMAIL = "email"


class JwtConfig(msgspec.Struct, frozen=True, kw_only=True, rename="camel", tag="jwt"):
    jwt_endpoint: str
    issuer: str
    keys_endpoint: str
    header_name: str = ""

    @property
    def header(self) -> str:
        return self.header_name or DEFAULT_HEADER

    @property
    def sealed_for(self) -> str:
        """The binding of the encrypted secret; JWT providers have none."""
        return self.issuer


class OidcConfig(msgspec.Struct, frozen=True, kw_only=True, rename="camel", tag="oidc"):
    """Client configuration at an OIDC provider; anything else comes from discovery.

    Attributes:
        issuer: for multi-tenant presets the issuer whose discovery document is read.
        trusted_email: authoritative for the addresses it marks as verified; for this issuer only.
        hosted_domains: Google Workspace domains whose users may sign in; empty for all.
        tenants: Entra tenants whose users may sign in; empty for all.
        team_id: Apple team that signs the client secret.
        key_id: of the key for the client secret or for ``private_key_jwt``.
    """

    issuer: str
    client_id: str
    scopes: tuple[str, ...] = ()
    display_name_mapping: Mapping = Mapping.UNSPECIFIED
    username_mapping: Mapping = Mapping.UNSPECIFIED
    trusted_email: bool = False
    preset: PresetName = PresetName.OIDC
    auth_method: AuthMethod = AuthMethod.AUTO
    hosted_domains: tuple[str, ...] = ()
    tenants: tuple[str, ...] = ()
    team_id: str = ""
    key_id: str = ""

    @property
    def sealed_for(self) -> str:
        """The binding of the encrypted client secret."""
        return self.issuer

    def trusted_like(self, before: AnyConfig) -> OidcConfig:
        """Keeps the trust of the replaced configuration unless the issuer changes (MG-18)."""
        is_trusted = isinstance(before, OidcConfig) and before.issuer == self.issuer and before.trusted_email
        return msgspec.structs.replace(self, trusted_email=is_trusted)


AnyConfig = JwtConfig | OidcConfig | Oauth2Config | LdapConfig


class Options(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """The effects of a sign-in; ``auto_linking`` offers an account, which its owner must authenticate for (IP-06)."""

    linking: bool = True
    creation: bool = True
    auto_creation: bool = False
    auto_update: bool = False
    auto_linking: AutoLinking = AutoLinking.NONE


class Idp(Record, frozen=True, kw_only=True):
    """A provider of one or all organizations; its secret is encrypted for this provider and its `sealed_for`.

    `assertions` are those that are accepted in place of a sign-in.
    """

    name: str
    config: AnyConfig
    styling: Styling = Styling.UNSPECIFIED
    options: Options = Options()
    sealed_secret: str = ""
    tables: ClaimTables = ClaimTables()
    assertions: AcceptedAssertions = NONE_ACCEPTED

    @property
    def of_instance(self) -> bool:
        """Available to all organizations."""
        return self.org_id == INSTANCE


def as_offered(idp: Idp) -> OfferedProvider:
    match idp.config:
        case JwtConfig():
            kind = ProviderKind.JWT
        case LdapConfig():
            kind = ProviderKind.LDAP
        case _:
            kind = ProviderKind.CODE
    styling = _preset_of(idp.config) if idp.styling is Styling.UNSPECIFIED else idp.styling.value
    return OfferedProvider(id=idp.id, name=idp.name, kind=kind, styling=styling)


def _preset_of(config: AnyConfig) -> str:
    if isinstance(config, JwtConfig | LdapConfig) or config.preset in (PresetName.OIDC, PresetName.OAUTH2):
        return "generic"
    return config.preset.value
