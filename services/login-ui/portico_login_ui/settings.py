"""The settings of the login pages: where authz is, and the secret shared with it."""

from __future__ import annotations

from portico_runtime.settings import LoginApiSection, LoginPagesSection, ServiceSection
from portico_runtime.spans_setting import SpansSection


class Settings(ServiceSection, SpansSection, LoginApiSection, LoginPagesSection):
    """No store, no bus: only the service itself and authz's login API."""
