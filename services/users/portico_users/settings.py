"""The settings of users, composed from the shared sections."""

from __future__ import annotations

from portico_runtime.settings import BusSection, GrpcSection, HashingSection, MongoSection, ServiceSection


class Settings(ServiceSection, GrpcSection, BusSection, MongoSection, HashingSection):
    """Everything users reads from its environment."""
