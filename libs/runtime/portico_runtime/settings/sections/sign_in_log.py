from __future__ import annotations

from pydantic import Field

from portico_runtime.settings.section import Section


class SignInLogSection(Section):
    """Sign-ins and refusals in the event log."""

    sign_in_log_days: int = Field(
        default=90,
        ge=1,
        le=3_650,
        description="Days for which the event log keeps sign-ins, sign-outs, failed sign-ins and refused requests.",
    )
