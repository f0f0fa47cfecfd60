from __future__ import annotations

from pydantic import Field

from portico_runtime.settings.section import Section


class SignInLifetimeSection(Section):
    """Lifetimes of codes, sign-ins and sessions, in seconds."""

    code_seconds: int = Field(default=60, le=60, description="Lifetime of authorization codes.")
    auth_request_seconds: int = Field(default=1800, description="Time limit for a sign-in.")
    session_idle_seconds: int = Field(default=86_400, description="Idle timeout of sessions.")
    second_factor_seconds: int = Field(
        default=64_800, description="Time after which a second factor is required again."
    )
