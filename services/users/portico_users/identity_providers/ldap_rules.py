"""Validates LDAP configurations (IP-03)."""

from __future__ import annotations

import re
from typing import Final, NamedTuple
from urllib.parse import urlsplit

from portico_oauth.errors import ErrorCode, Kind
from portico_runtime.http_client.addresses import AddressNotAllowed, read_target
from portico_runtime.tls.clients import is_certificates

from portico_users.identity_providers.ldap import LDAP_SECONDS, SUBJECT_ATTRIBUTES, LdapConfig
from portico_users.values.problems import Problem, Problems

_PORTS: Final = {"ldaps": 636, "ldap": 389}


class LdapServer(NamedTuple):
    """An LDAP server; ``tls_first`` is LDAPS, otherwise StartTLS is the first request (RFC 4511 section 4.14)."""

    host: str
    port: int
    tls_first: bool


def read_server(url: str, allowed: frozenset[tuple[str, int]]) -> LdapServer:
    """Parses a URL under the rules for outbound addresses; resolved addresses are checked at connection time."""
    try:
        parts = urlsplit(url)
        port = parts.port or _PORTS.get(parts.scheme, 0)
    except ValueError as error:
        raise AddressNotAllowed("the URL is invalid") from error
    if parts.scheme not in _PORTS or parts.path not in ("", "/") or "?" in url or "#" in url:
        raise AddressNotAllowed("the address is not one of a directory")
    written = parts.netloc if parts.port else f"{parts.netloc.rstrip(':')}:{port}"
    target = read_target(f"https://{written}/", allowed)
    return LdapServer(target.host, target.port, parts.scheme == "ldaps")


INVALID_SERVER = ErrorCode(
    "USER-386",
    Kind.INVALID_REQUEST,
    "This is not the address of a directory, or it is private and the setting PORTICO_OUTBOUND_ALLOW does not list it.",
    "Use 1 to 10 addresses such as ldaps://host:636 of public hosts, or list host and port in PORTICO_OUTBOUND_ALLOW.",
)
TLS_NEEDED = ErrorCode(
    "USER-387",
    Kind.INVALID_REQUEST,
    "Passwords are not sent without TLS.",
    "Use ldaps://, or set startTls with ldap://.",
)
INVALID_DN = ErrorCode(
    "USER-388",
    Kind.INVALID_REQUEST,
    "Invalid distinguished name.",
    "Use the format cn=portico,dc=example,dc=com, at most 1000 characters.",
)
INVALID_ATTRIBUTE = ErrorCode(
    "USER-389",
    Kind.INVALID_REQUEST,
    "Invalid attribute or object class.",
    "Use letters, digits and hyphens, without options and filters. At least 1 and at most 20 "
    "attributes can be searched.",
)
INVALID_SUBJECT_ATTRIBUTE = ErrorCode(
    "USER-390",
    Kind.INVALID_REQUEST,
    "This attribute is not a permanent identifier.",
    "Use entryUUID, objectGUID, nsUniqueId or ipaUniqueID. A DN or an address can be reassigned to another person.",
)
INVALID_CERTIFICATE = ErrorCode(
    "USER-391",
    Kind.INVALID_REQUEST,
    "Invalid certificates.",
    "Enter the certificates of authorities in PEM, at most 20000 characters, or none to use those of the system.",
)
INVALID_TIMEOUT = ErrorCode(
    "USER-392",
    Kind.INVALID_REQUEST,
    "The timeout of a directory is at most 5 seconds.",
    "Set whole seconds from 1 to 5, or omit the timeout.",
)

_MAX_SERVERS: Final = 10
_MAX_ATTRIBUTES: Final = 20
_MAX_DN: Final = 1_000
_MAX_CERTIFICATES: Final = 20_000
_DN: Final = re.compile(r"[A-Za-z0-9.-]{1,100} *=.*\Z")
_DESCRIPTION: Final = re.compile(r"[A-Za-z][A-Za-z0-9-]{0,99}\Z")
"""RFC 4512 section 2.5, without options."""


def problems_of_ldap(config: LdapConfig, allowed: frozenset[tuple[str, int]]) -> Problems:
    yield from _servers(config, allowed)
    for name, dn in (("baseDn", config.base_dn), ("bindDn", config.bind_dn)):
        if len(dn) > _MAX_DN or not _DN.match(dn) or not dn.isprintable():
            yield Problem(name, INVALID_DN)
    for name, words in (("userObjectClasses", config.user_object_classes), ("userFilters", config.user_filters)):
        yield from _descriptions(name, words)
    if not config.user_filters:
        yield Problem("userFilters", INVALID_ATTRIBUTE)
    yield from _attributes(config)
    if not 0 <= config.timeout <= LDAP_SECONDS:
        yield Problem("timeout", INVALID_TIMEOUT)
    if config.root_ca and not _is_valid_root(config.root_ca):
        yield Problem("rootCa", INVALID_CERTIFICATE)


def _servers(config: LdapConfig, allowed: frozenset[tuple[str, int]]) -> Problems:
    if not 0 < len(config.servers) <= _MAX_SERVERS:
        yield Problem("servers", INVALID_SERVER)
    for number, url in enumerate(config.servers):
        try:
            server = read_server(url, allowed)
        except AddressNotAllowed:
            yield Problem(f"servers[{number}]", INVALID_SERVER)
            continue
        # LDAP servers refuse StartTLS within TLS, so every sign-in would fail.
        if server.tls_first == config.start_tls:
            yield Problem(f"servers[{number}]", TLS_NEEDED)


def _descriptions(name: str, words: tuple[str, ...]) -> Problems:
    if len(words) > _MAX_ATTRIBUTES:
        yield Problem(name, INVALID_ATTRIBUTE)
    for number, word in enumerate(words):
        if not _DESCRIPTION.match(word):
            yield Problem(f"{name}[{number}]", INVALID_ATTRIBUTE)


def _attributes(config: LdapConfig) -> Problems:
    known = {name.lower() for name in SUBJECT_ATTRIBUTES}
    if config.attributes.subject.lower() not in known:
        yield Problem("attributes.idAttribute", INVALID_SUBJECT_ATTRIBUTE)
    for field in config.attributes.__struct_fields__:
        value = getattr(config.attributes, field)
        if field != "id" and value and not _DESCRIPTION.match(value):
            head, *rest = f"{field}_attribute".split("_")
            yield Problem(f"attributes.{head}{''.join(word.title() for word in rest)}", INVALID_ATTRIBUTE)


def _is_valid_root(pem: str) -> bool:
    return len(pem) <= _MAX_CERTIFICATES and pem.isascii() and is_certificates(pem)
