from __future__ import annotations

from pydantic import Field

from portico_runtime.settings.section import Section


class MaximumSessionSection(Section):
    """Must be the same for authz and keys: keys retains the keys that verify an id_token_hint for this time."""

    session_seconds: int = Field(default=2_592_000, description="Maximum lifetime of sessions in seconds.")
