"""The client address as seen by trusted proxies, for rate limiting only (HH-03)."""

from __future__ import annotations

from functools import lru_cache
from ipaddress import IPv6Address, ip_address, ip_network
from typing import Final

from starlette.requests import Request

from portico_web.headers import list_headers
from portico_web.trusted_proxies import TrustedProxies

UNKNOWN: Final = "unknown"
_FORWARDED_FOR: Final = b"x-forwarded-for"
_LONGEST: Final = 45
_MOST_PROXIES: Final = 16
_SITE_PREFIX: Final = 64


def client_address(request: Request, proxies: TrustedProxies) -> str:
    """Returns the peer; behind trusted proxies the last address of X-Forwarded-For outside the proxy networks.

    Each proxy appends the address it saw, so that a header sent by the client comes before that and has no
    effect. An unreadable element counts as the proxy that sent it. IPv6 addresses of one site (/64) are one
    client. The Forwarded header is ignored, and all clients without a readable address are counted as one.
    """
    return _address(request, proxies, list_headers(request, _FORWARDED_FOR))


def outside_address(request: Request, proxies: TrustedProxies) -> str:
    """Like `client_address`; empty for a request of another service of this installation.

    Only the gateway and services connect to a service, and the gateway adds the address of its client.
    """
    forwarded = list_headers(request, _FORWARDED_FOR)
    return _address(request, proxies, forwarded) if forwarded or not proxies.sent(request.scope) else ""


def _address(request: Request, proxies: TrustedProxies, forwarded: list[str]) -> str:
    peer = request.client.host if request.client else ""
    found = _canonical(peer)
    if not proxies.include(peer):
        return found or UNKNOWN
    elements = ",".join(forwarded).rsplit(",", _MOST_PROXIES)[-_MOST_PROXIES:]
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
