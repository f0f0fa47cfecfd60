from __future__ import annotations

from typing import Final
from urllib.parse import urlsplit

from pydantic import Field, SecretStr, ValidationInfo, field_validator

from portico_runtime.settings.section import Section

_LEAST_KEY: Final = 32


class MtlsSection(Section):
    """Client certificates (RFC 8705)."""

    mtls_url: str = Field(
        default="",
        description="Base URL of the endpoints that accept client certificates, such as https://id.example.org:8444. Empty: no client certificates.",
    )
    mtls_ca_file: str = Field(
        default="",
        description="PEM file with every CA certificate, also of intermediate CAs, that may issue client certificates for tls_client_auth. Empty: only self_signed_tls_client_auth.",
    )

    @field_validator("mtls_url")
    @classmethod
    def _is_an_https_origin(cls, value: str) -> str:
        parts = urlsplit(value)
        if value and (parts.scheme != "https" or not parts.hostname or value != f"https://{parts.netloc}"):
            raise ValueError("must be https, host and port, without a path")
        return value


class MtlsGatewaySection(MtlsSection):
    """Client certificates as the gateway passes them."""

    mtls_gateway_key: SecretStr = Field(
        default=SecretStr(""),
        validate_default=True,
        description="Secret shared with the gateway, at least 32 letters, digits, - and _. Without it no header with a client certificate is trusted.",
    )

    @field_validator("mtls_gateway_key")
    @classmethod
    def _is_long_enough(cls, value: SecretStr, info: ValidationInfo) -> SecretStr:
        text = value.get_secret_value()
        is_simple = text.replace("-", "").replace("_", "").isalnum() and text.isascii()
        if info.data.get("mtls_url") and (len(text) < _LEAST_KEY or not is_simple):
            raise ValueError(f"needs at least {_LEAST_KEY} letters, digits, - and _ with PORTICO_MTLS_URL")
        return value
