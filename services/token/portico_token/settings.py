from __future__ import annotations

from typing import Final, Self

from portico_runtime.settings.sections.bus import BusSection
from portico_runtime.settings.sections.mtls import MtlsSection
from portico_runtime.settings.sections.mtls_gateway import MtlsGatewaySection
from portico_runtime.settings.sections.redis import RedisSection
from portico_runtime.settings.sections.service import ServiceSection
from portico_runtime.settings.sections.spans import SpansSection
from portico_runtime.settings.sections.token_lifetime import TokenLifetimeSection
from portico_runtime.settings.sections.versioned_cache import VersionedCacheSection
from portico_runtime.settings.sections.zitadel import ZitadelSection
from pydantic import model_validator

LEAST_KEY: Final = 32
"""Characters of the key of the gateway."""


class Settings(
    ServiceSection,
    SpansSection,
    BusSection,
    RedisSection,
    VersionedCacheSection,
    TokenLifetimeSection,
    ZitadelSection,
    MtlsSection,
    MtlsGatewaySection,
):
    @model_validator(mode="after")
    def _has_key_of_gateway(self) -> Self:
        key = self.mtls_gateway_key.get_secret_value()
        is_simple = key.replace("-", "").replace("_", "").isalnum() and key.isascii()
        if self.mtls_url and (len(key) < LEAST_KEY or not is_simple):
            raise ValueError(
                f"PORTICO_MTLS_URL needs PORTICO_MTLS_GATEWAY_KEY with {LEAST_KEY} letters, digits, - and _"
            )
        return self
