from __future__ import annotations

from pydantic import Field, field_validator

from portico_runtime.settings.networks import read_allow_list
from portico_runtime.settings.section import CA_FILE, Section


class OutboundSection(Section):
    """Requests to URLs from the configuration of clients and identity providers, such as back-channel logout and key sets."""

    outbound_allow: str = Field(
        default="",
        description="host:port, comma-separated, that may have private addresses or use http. All others must be public and use https.",
    )
    outbound_ca_file: str = Field(default="", description=CA_FILE)

    @field_validator("outbound_allow")
    @classmethod
    def _is_a_list(cls, value: str) -> str:
        read_allow_list(value)
        return value
