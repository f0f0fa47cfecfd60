"""The settings of this service."""

from __future__ import annotations

from portico_runtime.settings import ConsoleSection, RedisSection, SealingSection, ServiceSection


class Settings(ServiceSection, RedisSection, SealingSection, ConsoleSection):
    """All settings console reads."""
