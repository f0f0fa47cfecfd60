from __future__ import annotations

from portico_oauth.redirect_uris import may_register
from pydantic import Field, field_validator

from portico_runtime.settings.section import Section


class OwnLoginSection(Section):
    """Custom login pages that use ZITADEL's session and OIDC services."""

    own_login_url: str = Field(
        default="",
        description="Address of custom login pages. A browser that has to sign in is redirected to its path /login with the parameter authRequest. Requires PORTICO_ZITADEL_NAMES. Empty: Portico's pages.",
    )

    @field_validator("own_login_url")
    @classmethod
    def _is_a_page(cls, value: str) -> str:
        if value and not (value.startswith(("https://", "http://")) and may_register(value) and "?" not in value):
            raise ValueError("must be an https address without query, fragment and user; http only on a loopback host")
        return value.rstrip("/")
