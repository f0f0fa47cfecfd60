from __future__ import annotations

from pydantic import Field

from portico_runtime.settings.section import Section


class ZitadelSection(Section):
    """Names of ZITADEL, for applications and programs that move. Must be the same for all services that read it."""

    zitadel_names: bool = Field(
        default=False,
        description="Whether to serve the API paths, scopes and role claims of ZITADEL's SDKs as well.",
    )
