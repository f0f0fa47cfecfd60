"""The settings token reads from its environment."""

from __future__ import annotations

from portico_runtime.settings import BusSection, FactsSection, RedisSection, ServiceSection, TokenLifetimeSection


class Settings(ServiceSection, BusSection, RedisSection, FactsSection, TokenLifetimeSection):
    """The settings of token."""
