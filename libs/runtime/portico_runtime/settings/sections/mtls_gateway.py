from __future__ import annotations

from pydantic import Field, SecretStr

from portico_runtime.settings.section import Section


class MtlsGatewaySection(Section):
    """Client certificates as the gateway passes them."""

    mtls_gateway_key: SecretStr = Field(
        default=SecretStr(""),
        description="Secret shared with the gateway, at least 32 letters, digits, - and _. Without it no header with a client certificate is trusted.",
    )
