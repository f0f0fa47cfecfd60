from __future__ import annotations

from portico_runtime.settings.sections.console_url import ConsoleUrlSection
from portico_runtime.settings.sections.login_api import LoginApiSection
from portico_runtime.settings.sections.login_pages import LoginPagesSection
from portico_runtime.settings.sections.passkey import PasskeySection
from portico_runtime.settings.sections.service import ServiceSection
from portico_runtime.settings.sections.spans import SpansSection


class Settings(ServiceSection, SpansSection, LoginApiSection, LoginPagesSection, ConsoleUrlSection, PasskeySection):
    pass
