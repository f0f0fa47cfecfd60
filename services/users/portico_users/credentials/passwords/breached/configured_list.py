from __future__ import annotations

from portico_runtime.http_client.outbound import Outbound
from portico_runtime.settings.sections.breached_passwords import BreachedPasswordsSection
from portico_runtime.settings.sections.outbound import OutboundSection

from portico_users.credentials.passwords.breached.breached_passwords import RangeList
from portico_users.credentials.passwords.breached.range_file import RangeFile
from portico_users.credentials.passwords.breached.range_service import SECONDS, RangeService


def configured_list(settings: BreachedPasswordsSection, outbound: OutboundSection) -> RangeList | None:
    if settings.breached_passwords_url:
        return RangeService(settings.breached_passwords_url, Outbound(outbound, seconds=SECONDS))
    return RangeFile(settings.breached_passwords_file) if settings.breached_passwords_file else None
