from __future__ import annotations

from typing import Literal

from pydantic import Field

from portico_runtime.settings.section import Section


class StepUpSection(Section):
    """Step-up authentication. Must be the same for users, which requires it, and console, which prepares for it."""

    step_up: Literal["off", "console", "all"] = Field(
        default="console",
        description="Access tokens that need a sign-in at most 5 minutes old for sensitive operations: off (none), console (those of the console and the account page) or all.",
    )
