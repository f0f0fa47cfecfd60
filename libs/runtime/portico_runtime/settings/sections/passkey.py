from __future__ import annotations

from urllib.parse import urlsplit

from portico_oauth.redirect_uris import may_register
from pydantic import Field, field_validator

from portico_runtime.settings.section import Section


class PasskeySection(Section):
    """For which domain passkeys are, and on whose pages they work (decision 0119)."""

    passkey_domain: str = Field(
        default="",
        description="Relying party id of new passkeys: the host of the issuer or a parent domain. Empty: the host of the issuer. Choose it before the first passkey: a passkey works for the domain of its registration only.",
    )
    passkey_origins: str = Field(
        default="",
        description="Other origins whose pages may use the passkeys, comma-separated, as `https://login.example.com`: own login pages on other hosts. They are listed in /.well-known/webauthn.",
    )

    @field_validator("passkey_domain")
    @classmethod
    def _is_a_host(cls, value: str) -> str:
        if value != value.strip().lower() or "/" in value or ":" in value:
            raise ValueError("must be a host name in lower case, without scheme and port")
        return value

    @field_validator("passkey_origins")
    @classmethod
    def _are_origins(cls, value: str) -> str:
        for origin in origins_in(value):
            parts = urlsplit(origin)
            if parts.scheme not in ("https", "http") or not may_register(origin) or parts.path or parts.query:
                raise ValueError("must be https origins without a path, comma-separated; http only on loopback hosts")
        return value


def origins_in(value: str) -> tuple[str, ...]:
    return tuple(one.strip() for one in value.split(",") if one.strip())
