"""Identity providers as the sign-in page shows them."""

from __future__ import annotations

from portico_contracts.users import OfferedProvider, ProviderKind

from portico_users.directory.identity_providers.idp import AnyConfig, Idp, JwtConfig, Styling
from portico_users.directory.identity_providers.presets.names import PresetName


def as_offered(idp: Idp) -> OfferedProvider:
    """The provider as the sign-in page shows it."""
    kind = ProviderKind.JWT if isinstance(idp.config, JwtConfig) else ProviderKind.CODE
    styling = _preset_of(idp.config) if idp.styling is Styling.UNSPECIFIED else idp.styling.value
    return OfferedProvider(id=idp.id, name=idp.name, kind=kind, styling=styling)


def _preset_of(config: AnyConfig) -> str:
    """The look of its preset; ``generic`` without one."""
    if isinstance(config, JwtConfig) or config.preset in (PresetName.OIDC, PresetName.OAUTH2):
        return "generic"
    return config.preset.value
