from __future__ import annotations

from pydantic import Field

from portico_runtime.settings.section import Section


class OwnClientsSection(Section):
    """Back-channel logout of the console and the account page."""

    console_service_url: str = Field(
        default="",
        description="Internal addresses of console for back-channel logout, comma-separated. Empty: its public URL.",
    )
