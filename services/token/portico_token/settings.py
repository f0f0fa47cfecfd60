"""The settings token reads from its environment."""

from __future__ import annotations

from portico_runtime.settings import BusSection, RedisSection, ServiceSection, TokenLifetimeSection


class Settings(ServiceSection, BusSection, RedisSection, TokenLifetimeSection):
    """The settings of token."""
