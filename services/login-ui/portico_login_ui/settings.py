from __future__ import annotations

from portico_runtime.passkey_setting import PasskeySection
from portico_runtime.settings import ConsoleUrlSection, LoginApiSection, LoginPagesSection, ServiceSection
from portico_runtime.spans_setting import SpansSection


class Settings(ServiceSection, SpansSection, LoginApiSection, LoginPagesSection, ConsoleUrlSection, PasskeySection):
    pass
