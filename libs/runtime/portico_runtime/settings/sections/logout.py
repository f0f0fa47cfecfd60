from __future__ import annotations

from typing import Literal

from pydantic import Field

from portico_runtime.settings.section import Section


class LogoutSection(Section):
    """Logout."""

    logout_confirm: Literal["always", "never"] = Field(
        default="always",
        description="Whether to ask for confirmation of a logout without a valid id_token_hint: always or never.",
    )
