from __future__ import annotations

from urllib.parse import urlsplit

from pydantic import Field, field_validator

from portico_runtime.settings.section import Section


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
