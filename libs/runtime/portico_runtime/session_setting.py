"""The longest life of a session."""

from __future__ import annotations

from pydantic import Field

from portico_runtime.settings import Section


class SessionLifetimeSection(Section):
    """The same at authz and keys: keys retains as long what verifies an id_token_hint."""

    session_seconds: int = Field(default=2_592_000, description="A session ends after this in any case.")
