from __future__ import annotations

from portico_runtime.settings import (
    BusSection,
    RedisSection,
    ServiceSection,
    TokenLifetimeSection,
    VersionedCacheSection,
)
from portico_runtime.spans_setting import SpansSection


class Settings(ServiceSection, SpansSection, BusSection, RedisSection, VersionedCacheSection, TokenLifetimeSection):
    pass
