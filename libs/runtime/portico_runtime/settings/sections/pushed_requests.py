from __future__ import annotations

from pydantic import Field

from portico_runtime.settings.section import Section


class PushedRequestsSection(Section):
    """Pushed authorization requests (RFC 9126)."""

    pushed_authorization_requests: bool = Field(
        default=False,
        description="Whether every application may push its authorization requests, and discovery shows the endpoint. Many client libraries push whenever it does. Without it, only applications that require pushed requests can push them.",
    )
