from __future__ import annotations

from pydantic import Field, SecretStr

from portico_runtime.settings.section import Section


class LoginApiSection(Section):
    """Authentication of the login pages at the login API of authz."""

    login_api_key: SecretStr = Field(default=SecretStr(""), description="Shared secret, at least 32 characters.")
