from __future__ import annotations

from portico_runtime.settings.sections.bus import BusSection
from portico_runtime.settings.sections.mtls import MtlsGatewaySection
from portico_runtime.settings.sections.redis import RedisSection
from portico_runtime.settings.sections.service import ServiceSection
from portico_runtime.settings.sections.spans import SpansSection
from portico_runtime.settings.sections.token_lifetime import TokenLifetimeSection
from portico_runtime.settings.sections.versioned_cache import VersionedCacheSection
from portico_runtime.settings.sections.zitadel import ZitadelSection


class Settings(
    ServiceSection,
    SpansSection,
    BusSection,
    RedisSection,
    VersionedCacheSection,
    TokenLifetimeSection,
    ZitadelSection,
    MtlsGatewaySection,
):
    pass
