"""Identity providers as the sign-in page shows them."""

from __future__ import annotations

from portico_contracts.users import OfferedProvider, ProviderKind

from portico_users.directory.identity_providers.idp import AnyConfig, Idp, JwtConfig, Styling
from portico_users.directory.identity_providers.ldap import LdapConfig
from portico_users.directory.identity_providers.presets.names import PresetName


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
