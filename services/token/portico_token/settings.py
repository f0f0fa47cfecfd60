from __future__ import annotations

from portico_runtime.settings import (
    BusSection,
    RedisSection,
    ServiceSection,
    TokenLifetimeSection,
    VersionedCacheSection,
)
from portico_runtime.spans_setting import SpansSection
from portico_runtime.zitadel_setting import ZitadelSection


class Settings(
    ServiceSection,
    SpansSection,
    BusSection,
    RedisSection,
    VersionedCacheSection,
    TokenLifetimeSection,
    ZitadelSection,
):
    pass
