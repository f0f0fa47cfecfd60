"""The setting of step-up: the same for users, which demands recent sign-ins, and console, which prepares for them."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from portico_runtime.settings import Section


class StepUpSection(Section):
    """Sign-ins that have to be recent; the same for users, which demands it, and console, which prepares for it."""

    step_up: Literal["off", "console", "all"] = Field(
        default="console",
        description="Whose tokens need a sign-in at most 5 minutes old for dangerous operations: none, ours, all.",
    )
