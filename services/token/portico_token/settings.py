from __future__ import annotations

from portico_runtime.settings import BusSection, FactsSection, RedisSection, ServiceSection, TokenLifetimeSection
from portico_runtime.spans_setting import SpansSection


class Settings(ServiceSection, SpansSection, BusSection, RedisSection, FactsSection, TokenLifetimeSection):
    pass
