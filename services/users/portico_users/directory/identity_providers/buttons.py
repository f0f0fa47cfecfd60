"""Identity providers as the sign-in page shows them."""

from __future__ import annotations

from portico_contracts.users import OfferedProvider, ProviderKind

from portico_users.directory.identity_providers.idp import Idp, JwtConfig, Styling


def as_offered(idp: Idp) -> OfferedProvider:
    """The provider as the sign-in page shows it."""
    kind = ProviderKind.JWT if isinstance(idp.config, JwtConfig) else ProviderKind.CODE
    styling = "generic" if idp.styling is Styling.UNSPECIFIED else idp.styling.value
    return OfferedProvider(id=idp.id, name=idp.name, kind=kind, styling=styling)
