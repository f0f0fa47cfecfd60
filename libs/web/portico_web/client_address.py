"""The address of the client as the trusted proxies saw it, for counting and nothing else (HH-03)."""

from __future__ import annotations

from functools import lru_cache
from ipaddress import IPv6Address, ip_address, ip_network
from typing import Final

from starlette.requests import Request

from portico_web.headers import list_headers
from portico_web.trusted_proxies import TrustedProxies

UNKNOWN: Final = "unknown"
_LONGEST: Final = 45
_MOST_PROXIES: Final = 16
_SITE_PREFIX: Final = 64


def client_address(request: Request, proxies: TrustedProxies) -> str:
    """The peer; behind trusted proxies the last address of X-Forwarded-For outside the networks of proxies.

    Each proxy appends the address it saw, so that what a client writes into the header comes before that and changes
    nothing. An element that cannot be read counts as the proxy that sent it. IPv6 addresses of one site (/64) are one
    client. Forwarded is not read, and all clients without a readable address are counted as one.
    """
    peer = request.client.host if request.client else ""
    found = _canonical(peer)
    if not proxies.include(peer):
        return found or UNKNOWN
    elements = ",".join(list_headers(request, b"x-forwarded-for")).rsplit(",", _MOST_PROXIES)[-_MOST_PROXIES:]
    for element in reversed(elements):
        written = element.strip()[: _LONGEST + 1]
        address = _canonical(written)
        if not address:
            break
        found = address
        if not proxies.forward(written):
            break
    return found or UNKNOWN


@lru_cache(maxsize=4096)
def _canonical(text: str) -> str:
    try:
        address = ip_address(text)
    except ValueError:
        return ""
    if not isinstance(address, IPv6Address):
        return str(address)
    if address.ipv4_mapped:
        return str(address.ipv4_mapped)
    if address.scope_id:
        return ""
    return str(ip_network((address, _SITE_PREFIX), strict=False))
