"""The identity provider."""

from __future__ import annotations

from enum import StrEnum
from typing import Final

import msgspec
from portico_contracts.users import OfferedProvider, ProviderKind

from portico_users.directory.identity_providers.claim_tables import ClaimTables
from portico_users.directory.identity_providers.ldap import LdapConfig
from portico_users.directory.identity_providers.oauth2_config import Oauth2Config
from portico_users.directory.identity_providers.presets.names import AuthMethod, PresetName
from portico_users.kernel.names import INSTANCE
from portico_users.kernel.records import Record

DEFAULT_HEADER: Final = "authorization"


class Styling(StrEnum):
    """How its button looks."""

    UNSPECIFIED = "unspecified"
    GOOGLE = "google"


class Mapping(StrEnum):
    """The claim of an OpenID Connect provider that becomes a name of the user."""

    UNSPECIFIED = "unspecified"
    PREFERRED_USERNAME = "preferred_username"
    EMAIL = "email"


class AutoLinking(StrEnum):
    """Which account is offered to be linked at the first sign-in; the user proves that it is theirs."""

    NONE = "none"
    USERNAME = "username"
    EMAIL = "email"


class JwtConfig(msgspec.Struct, frozen=True, kw_only=True, rename="camel", tag="jwt"):
    """How a JWT is fetched and checked.

    Attributes:
        jwt_endpoint: where the browser is sent.
        keys_endpoint: where the keys are that sign it.
        header_name: the header it comes back in; empty for `DEFAULT_HEADER`.
    """

    jwt_endpoint: str
    issuer: str
    keys_endpoint: str
    header_name: str = ""

    @property
    def header(self) -> str:
        """The header that is read."""
        return self.header_name or DEFAULT_HEADER

    @property
    def sealed_for(self) -> str:
        """What a secret would be bound to; it has none."""
        return self.issuer


class OidcConfig(msgspec.Struct, frozen=True, kw_only=True, rename="camel", tag="oidc"):
    """How Portico is a client there; everything else is in its discovery document.

    Attributes:
        issuer: with a preset for several tenants the one whose discovery document is read.
        trusted_email: it is an authority for the addresses it states as verified; only for this issuer.
        preset: what else is known of the provider.
        hosted_domains: the Workspace domains whose people may sign in (Google); empty for all.
        tenants: the tenants whose people may sign in (Entra); empty for all.
        team_id: who signs the client secret (Apple).
        key_id: of the key that signs it, or the assertions of ``private_key_jwt``.
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
        """What the client secret is bound to."""
        return self.issuer

    def trusted_like(self, before: AnyConfig) -> OidcConfig:
        """This configuration, as trusted as the one it replaces; another issuer is trusted with nothing (MG-18)."""
        is_trusted = isinstance(before, OidcConfig) and before.issuer == self.issuer and before.trusted_email
        return msgspec.structs.replace(self, trusted_email=is_trusted)


AnyConfig = JwtConfig | OidcConfig | Oauth2Config | LdapConfig


class Options(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """What happens when a user signs in with it.

    Attributes:
        linking: an account they are signed in to can be linked.
        creation: an account can be made.
        auto_creation: it is made without asking.
        auto_update: names and address follow those over there.
        auto_linking: which account is offered; never linked before its owner proved that it is theirs (IP-06).
    """

    linking: bool = True
    creation: bool = True
    auto_creation: bool = False
    auto_update: bool = False
    auto_linking: AutoLinking = AutoLinking.NONE


class Idp(Record, frozen=True, kw_only=True):
    """An identity provider of an organization, or of the instance: then every organization may use it.

    Attributes:
        sealed_secret: the client secret, sealed for this provider and its `sealed_for`; empty for none.
        tables: what its groups, claims and methods mean here.
    """

    name: str
    config: AnyConfig
    styling: Styling = Styling.UNSPECIFIED
    options: Options = Options()
    sealed_secret: str = ""
    tables: ClaimTables = ClaimTables()

    @property
    def of_instance(self) -> bool:
        """Every organization may use it."""
        return self.org_id == INSTANCE


def as_offered(idp: Idp) -> OfferedProvider:
    """The provider as the sign-in page shows it."""
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
    """The look of its preset; ``generic`` without one."""
    if isinstance(config, JwtConfig | LdapConfig) or config.preset in (PresetName.OIDC, PresetName.OAUTH2):
        return "generic"
    return config.preset.value
