from __future__ import annotations

from typing import Final

from portico_contracts import gateway as rules
from portico_contracts.http import JWT_AUTHORIZE

from portico_stack.gateway.caddy_syntax import at

PROXIES: Final = f"{{${rules.PROXIES_VARIABLE}:{rules.NO_PROXY}}}"

_FORWARDED: Final = "X-Forwarded-*"
_FORWARDING: Final = tuple(
    f"X-Forwarded-{name}" for name in ("Host", "Port", "Prefix", "Proto", "Scheme", "Server", "Ssl", "User")
)
"""Headers of such a proxy besides X-Forwarded-For; also removed."""


def removed_headers() -> list[str]:
    lines = [f"@elsewhere not {at([JWT_AUTHORIZE])}", f"@unproxied not remote_ip {PROXIES}"]
    lines += [f"request_header {_where(name)}-{name}" for name in rules.REMOVED_FROM_REQUESTS]
    return [*lines, *(f"request_header -{name}" for name in _FORWARDING)]


def _where(name: str) -> str:
    if name == _FORWARDED:
        return "@unproxied "
    return "@elsewhere " if name in rules.PASSED_TO_JWT_AUTHORIZE else ""
