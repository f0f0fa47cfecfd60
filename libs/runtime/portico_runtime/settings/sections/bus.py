from __future__ import annotations

from typing import Final

from pydantic import Field, SecretStr

from portico_runtime.settings.section import CA_FILE, Section

DEGRADED_SECONDS: Final = 30.0


class BusSection(Section):
    """NATS. Each service has its own NATS user with the name of the service."""

    bus_url: str = Field(
        default="nats://127.0.0.1:4222", description="NATS servers, comma-separated. Use tls:// for TLS."
    )
    bus_ca_file: str = Field(default="", description=CA_FILE)
    bus_password: SecretStr = Field(default=SecretStr(""), description="Password of this service's NATS user.")
    bus_degraded_seconds: float = Field(
        default=DEGRADED_SECONDS,
        ge=0,
        description="Seconds of failing publishes after which /readyz reports the service as not ready.",
    )
    bus_stream_replicas: int = Field(default=1, ge=1, le=5, description="Number of NATS servers that store each event.")
