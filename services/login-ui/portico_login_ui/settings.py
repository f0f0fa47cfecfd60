"""The settings of the login pages: where authz is, and the secret shared with it."""

from __future__ import annotations

from portico_runtime.settings import LoginApiSection, LoginPagesSection, ServiceSection


class Settings(ServiceSection, LoginApiSection, LoginPagesSection):
    """No store, no bus: only the service itself and authz's login API."""
