from __future__ import annotations

from pydantic import Field

from portico_runtime.settings.section import Section


class TokenLifetimeSection(Section):
    """Maximum token lifetimes, in seconds. The instance can set shorter ones.

    The same for all that read them: keys keeps a retired key as long as tokens can live.
    """

    access_token_seconds: int = Field(default=3_600, description="Maximum lifetime of access tokens.")
    id_token_seconds: int = Field(default=3_600, description="Maximum lifetime of id_tokens.")
    refresh_idle_seconds: int = Field(default=2_592_000, description="Idle timeout of refresh tokens.")
    refresh_seconds: int = Field(
        default=7_776_000, description="Maximum lifetime of a refresh token and its successors."
    )
