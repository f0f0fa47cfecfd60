from __future__ import annotations

from pydantic import Field

from portico_runtime.settings.section import Section


class SigningSection(Section):
    """Signing keys and their rotation."""

    signing_algorithms: str = Field(
        default="RS256,ES256,EdDSA", description="Signing algorithms, comma-separated. Each has its own key."
    )
    signing_rsa_bits: int = Field(default=2048, ge=2048, le=4096, description="Size of RSA keys in bits.")
    signing_wait_seconds: int = Field(
        default=3_600, ge=0, description="Seconds between publishing a key and signing with it."
    )
    signing_now_wait_seconds: float = Field(
        default=10.0,
        ge=0,
        description="Seconds between publishing a key and signing with it, after `portico keys rotate --now` or a revocation.",
    )
    signing_seconds: int = Field(default=2_592_000, ge=60, description="Seconds after which the next key takes over.")
    keys_requests_per_minute: int = Field(
        default=3_000, ge=1, description="Maximum requests per minute for the key set, per client address and replica."
    )
