from __future__ import annotations

from typing import Final

from portico_runtime.doctor.finding import Finding
from portico_runtime.settings.sections.breached_passwords import BreachedPasswordsSection
from portico_runtime.settings.sections.outbound import OutboundSection

from portico_users.credentials.passwords.breached.configured_list import configured_list
from portico_users.credentials.passwords.breached.digest import digest_of
from portico_users.credentials.passwords.breached.range_file import UnusableList

_NAME: Final = "breached passwords"
_KNOWN: Final = ("password", "123456", "qwerty", "iloveyou")
_WHY: Final = "Organizations that refuse breached passwords accept them."


async def check_breached_passwords(settings: BreachedPasswordsSection, outbound: OutboundSection) -> Finding | None:
    """Looks up the most common passwords, which every list of breached ones contains."""
    ranges = configured_list(settings, outbound)
    if ranges is None:
        return None
    try:
        counts = [await ranges.count(digest_of(password)) for password in _KNOWN]
    except UnusableList as error:
        fix = "Set it to a list of SHA-1 hashes sorted by hash that the service can read, or to a range service that it can reach."
        return Finding(_NAME, "wrong", f"the list cannot be read: {error}", fix, _WHY)
    if not all(counts):
        fix = "Use the list of SHA-1 hashes that is ordered by hash. The list of NTLM hashes does not work."
        return Finding(_NAME, "wrong", "the list lacks passwords that each such list has", fix, _WHY)
    return Finding(_NAME, "ok", "the list is readable and has the most common passwords")
