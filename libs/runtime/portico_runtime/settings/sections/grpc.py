from __future__ import annotations

from typing import Final

from pydantic import Field

from portico_runtime.settings.section import Section

GRPC_PORT: Final = "grpc_port"


class GrpcSection(Section):
    """The port for plain gRPC behind the gateway."""

    grpc_port: int = Field(default=8100, description="Port for plain gRPC (HTTP/2 without TLS).")
