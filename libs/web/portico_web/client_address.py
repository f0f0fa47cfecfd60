"""Who is asking: the address the trusted gateway saw, for counting and nothing else (HH-03)."""

from __future__ import annotations

from functools import lru_cache
from ipaddress import IPv6Address, ip_address, ip_network
from typing import Final

from starlette.requests import Request

from portico_web.headers import list_headers

UNKNOWN: Final = "unknown"
_LONGEST: Final = 45
_SITE_PREFIX: Final = 64


def client_address(request: Request) -> str:
    """The last element of X-Forwarded-For, which our gateway appends; without a readable one the peer.

    What a client writes into the header comes before the gateway's element and changes nothing. IPv6
    addresses of one site (/64) are one client. Everything unreadable is counted together.
    """
    forwarded = list_headers(request, b"x-forwarded-for")
    if forwarded:
        address = _canonical(forwarded[-1].rpartition(",")[2].strip()[: _LONGEST + 1])
        if address:
            return address
    return (_canonical(request.client.host) if request.client else "") or UNKNOWN


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
