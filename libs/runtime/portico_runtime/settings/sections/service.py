from __future__ import annotations

from typing import Final

from pydantic import Field, HttpUrl, TypeAdapter, field_validator

from portico_runtime.settings.networks import Network, read_networks
from portico_runtime.settings.section import Section

_URL: Final = TypeAdapter(HttpUrl)


class ServiceSection(Section):
    """Settings of every service."""

    issuer: str = Field(
        default="http://localhost:8080", description="The public URL (scheme, host and port), without a trailing slash."
    )
    host: str = Field(default="127.0.0.1", description="Address to listen on. `::` is every address, of IPv6 and IPv4.")
    port: int = Field(default=8000, description="Port for requests from the gateway.")
    internal_port: int = Field(default=9000, description="Port for /healthz, /readyz and /metrics.")
    log_level: str = Field(default="info", description="Log level: debug, info, warning or error.")
    drain_seconds: float = Field(default=3.0, description="Seconds that running requests get to finish after SIGTERM.")
    trusted_proxies: str = Field(
        default="127.0.0.0/8,::1/128",
        description="Networks of the proxies that connect to the service, comma-separated. Their X-Forwarded-* headers are trusted.",
    )
    gateway_proxies: str = Field(
        default="",
        description="Networks of proxies in front of the gateway, comma-separated. Must not contain clients.",
    )

    @field_validator("issuer")
    @classmethod
    def _is_an_origin(cls, value: str) -> str:
        url = _URL.validate_python(value)
        if value.endswith("/") or url.query or url.fragment or url.username:
            raise ValueError("must be scheme, host and port, without a trailing slash")
        return value

    @field_validator("trusted_proxies", "gateway_proxies")
    @classmethod
    def _are_networks(cls, value: str) -> str:
        read_networks(value)
        return value

    @property
    def proxy_networks(self) -> tuple[Network, ...]:
        return read_networks(self.trusted_proxies)

    @property
    def forwarding_networks(self) -> tuple[Network, ...]:
        return read_networks(self.gateway_proxies)

    @property
    def secure(self) -> bool:
        """Reports whether the issuer is https, so that cookies have Secure and the prefix __Host-."""
        return self.issuer.startswith("https://")
