from __future__ import annotations

from portico_runtime.settings import LoginApiSection, LoginPagesSection, ServiceSection
from portico_runtime.spans_setting import SpansSection


class Settings(ServiceSection, SpansSection, LoginApiSection, LoginPagesSection):
    pass
