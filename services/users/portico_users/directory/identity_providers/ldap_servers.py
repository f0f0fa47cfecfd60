"""Servers of directories: TLS always, and only where requests may go (IP-03)."""

from __future__ import annotations

from typing import Final, NamedTuple
from urllib.parse import urlsplit

from portico_runtime.addresses import AddressNotAllowed, read_target

_PORTS: Final = {"ldaps": 636, "ldap": 389}


class LdapServer(NamedTuple):
    """Where a directory listens.

    Attributes:
        host: in lower case, without brackets.
        tls_first: the connection begins with TLS; otherwise StartTLS is the first request (RFC 4511 §4.14).
    """

    host: str
    port: int
    tls_first: bool


def read_server(url: str, allowed: frozenset[tuple[str, int]]) -> LdapServer:
    """Reads ``ldaps://host:port`` or ``ldap://host:port``, by the rules of every address that is asked from here.

    Raises:
        AddressNotAllowed: for everything else; names are resolved later, and what they resolve to is checked then.
    """
    try:
        parts = urlsplit(url)
        port = parts.port or _PORTS.get(parts.scheme, 0)
    except ValueError as error:
        raise AddressNotAllowed("the address cannot be read") from error
    if parts.scheme not in _PORTS or parts.path not in ("", "/") or "?" in url or "#" in url:
        raise AddressNotAllowed("the address is not one of a directory")
    written = parts.netloc if parts.port else f"{parts.netloc.rstrip(':')}:{port}"
    target = read_target(f"https://{written}/", allowed)
    return LdapServer(target.host, target.port, parts.scheme == "ldaps")
