from __future__ import annotations

from urllib.parse import urlsplit

from pydantic import Field, SecretStr, field_validator

from portico_runtime.settings.section import CA_FILE, Section


class SpansSection(Section):
    """OpenTelemetry traces (OTLP over HTTP). Must be the same for every service."""

    otlp_endpoint: str = Field(
        default="", description="URL to send spans to, such as http://collector:4318/v1/traces. Empty: tracing is off."
    )
    otlp_headers: SecretStr = Field(
        default=SecretStr(""), description="HTTP headers of these requests: name=value, comma-separated."
    )
    otlp_ca_file: str = Field(default="", description=CA_FILE)
    otlp_sample_ratio: float = Field(
        default=0.01, ge=0, le=1, description="Share of requests that are traced, from 0 to 1."
    )

    @field_validator("otlp_endpoint")
    @classmethod
    def _is_an_address(cls, value: str) -> str:
        url = urlsplit(value)
        if value and (url.scheme not in ("http", "https") or not url.hostname or url.username or url.query):
            raise ValueError("must be a URL with scheme, host and path, such as http://collector:4318/v1/traces")
        return value

    @field_validator("otlp_headers")
    @classmethod
    def _are_headers(cls, value: SecretStr) -> SecretStr:
        read_headers(value.get_secret_value())
        return value


def read_headers(text: str) -> dict[str, str]:
    """Raises ValueError: a part is not ``name=value``."""
    pairs = [pair.strip().partition("=") for pair in text.split(",") if pair.strip()]
    if not all(name and equals for name, equals, _ in pairs):
        raise ValueError("must be name=value, comma-separated")
    return {name.strip(): value.strip() for name, _, value in pairs}
