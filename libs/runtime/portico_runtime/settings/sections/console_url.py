from __future__ import annotations

from pydantic import Field

from portico_runtime.settings.section import Section


class ConsoleUrlSection(Section):
    """Where the console is, for its own pages and for the link of the start page."""

    console_url: str = Field(
        default="", description="Public URL of the console (scheme, host and port). Empty: the issuer's."
    )
