"""The setting of where the console and the account page are reached past the gateway."""

from __future__ import annotations

from pydantic import Field

from portico_runtime.settings import Section


class OwnClientsSection(Section):
    """Back-channel logout of our own clients."""

    console_service_url: str = Field(
        default="",
        description="console's own addresses, comma-separated, for its back-channel logout; empty to use its public one.",
    )
