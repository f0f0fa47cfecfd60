from __future__ import annotations

from pydantic import Field

from portico_runtime.settings.section import Section


class LoginPagesSection(Section):
    """How the login pages reach authz."""

    authz_url: str = Field(default="http://127.0.0.1:8001", description="Internal address of authz.")
