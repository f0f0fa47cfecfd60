from __future__ import annotations

from pydantic import Field, SecretStr

from portico_runtime.settings.section import Section


class SealingSection(Section):
    """Encryption of secrets at rest."""

    master_keys: SecretStr = Field(
        default=SecretStr(""), description="Base64 keys of 32 bytes, comma-separated. The first encrypts; all decrypt."
    )
