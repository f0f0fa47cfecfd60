"""Validates identity providers (IP-03, IP-08)."""

from __future__ import annotations

import re
from collections import Counter
from typing import Final

from portico_contracts.gateway import PASSED_TO_JWT_AUTHORIZE, REMOVED_FROM_REQUESTS
from portico_oauth.assurance import HARDWARE_KEY, KEY, MULTI_FACTOR, ONE_TIME_CODE, PASSWORD, USER_PRESENCE
from portico_oauth.errors import ErrorCode, Kind
from portico_runtime.http_client.addresses import AddressNotAllowed, may_be_requested, read_web_address

from portico_users.identity_providers.idp import Idp, JwtConfig, OidcConfig
from portico_users.identity_providers.issuers import group_key
from portico_users.identity_providers.ldap import LdapConfig
from portico_users.identity_providers.ldap_rules import problems_of_ldap
from portico_users.identity_providers.oauth2_config import Oauth2Config
from portico_users.identity_providers.preset_rules import is_claim_path, problems_of_oauth2, problems_of_preset
from portico_users.values.names import INVALID_NAME, MAX_LENGTH, is_key, is_name
from portico_users.values.problems import Problem, Problems

INVALID_TABLE = ErrorCode(
    "USER-628",
    Kind.INVALID_REQUEST,
    "Invalid row of a mapping table.",
    "Join members of a claim with dots. List each group of a project once and with roles, and"
    " each metadata key and amr value once. At most 200 rows; methods are pwd, otp, hwk, pop, user"
    " and mfa.",
)
GROUPS_OF_INSTANCE = ErrorCode(
    "USER-629",
    Kind.INVALID_REQUEST,
    "Group mappings of an instance's identity provider cannot grant roles.",
    "Map groups in an identity provider of the organization that owns the projects.",
)

MAX_LINES: Final = 200
METHODS: Final = frozenset({PASSWORD, ONE_TIME_CODE, HARDWARE_KEY, KEY, USER_PRESENCE, MULTI_FACTOR})


def problems_of_tables(idp: Idp) -> Problems:
    yield from _problems_of_groups(idp)
    tables = idp.tables
    keys = Counter(one.key for one in tables.metadata)
    for number, line in enumerate(tables.metadata):
        is_once = is_key(line.key) and len(line.key) <= MAX_LENGTH and keys[line.key] == 1
        if not is_claim_path(line.claim) or not is_once or number >= MAX_LINES:
            yield Problem(f"metadata.{line.claim}", INVALID_TABLE)
    values = Counter(one.value for one in tables.amr)
    for number, method in enumerate(tables.amr):
        known = bool(method.methods) and METHODS.issuperset(method.methods)
        if not is_name(method.value) or values[method.value] > 1 or not known or number >= MAX_LINES:
            yield Problem(f"amr.{method.value}", INVALID_TABLE)


def _problems_of_groups(idp: Idp) -> Problems:
    tables = idp.tables
    names = tables.group_names
    if names and idp.of_instance:
        yield Problem("groups", GROUPS_OF_INSTANCE)
    if bool(names) != bool(tables.groups_claim) or (tables.groups_claim and not is_claim_path(tables.groups_claim)):
        yield Problem("groups.claim", INVALID_TABLE)
    places = Counter((group_key(idp.config, one.group), one.project_id) for one in tables.groups)
    for number, group in enumerate(tables.groups):
        named = is_name(group.group) and group.role_keys and all(map(is_name, group.role_keys))
        if not named or places[group_key(idp.config, group.group), group.project_id] > 1 or number >= MAX_LINES:
            yield Problem(f"groups.grants[{number}]", INVALID_TABLE)
    given = Counter((group_key(idp.config, one.group), one.group_id) for one in tables.memberships)
    for number, line in enumerate(tables.memberships):
        if (
            not is_name(line.group)
            or given[group_key(idp.config, line.group), line.group_id] > 1
            or number >= MAX_LINES
        ):
            yield Problem(f"groups.groups[{number}]", INVALID_TABLE)


_TOKEN: Final = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]{1,200}\Z")
"""RFC 9110 section 5.6.2."""

_REMOVED: Final = tuple(name.lower() for name in REMOVED_FROM_REQUESTS if name not in PASSED_TO_JWT_AUTHORIZE)
"""The gateway removes these from requests to `http.JWT_AUTHORIZE`, so a proxy's JWT would not arrive."""

_NOT_BEGINNING: Final = tuple(name[:-1] for name in _REMOVED if name.endswith("*"))

_NOT_THESE: Final = frozenset(
    {
        *_REMOVED,
        "connection",
        "content-encoding",
        "content-length",
        "content-type",
        "cookie",
        "expect",
        "host",
        "keep-alive",
        "origin",
        "proxy-authenticate",
        "proxy-authorization",
        "proxy-connection",
        "referer",
        "set-cookie",
        "te",
        "trailer",
        "transfer-encoding",
        "via",
        "x-request-id",
    }
)
"""Headers with a meaning to HTTP or the gateway: hop-by-hop, framing, client identification."""


def is_header_name(name: str) -> bool:
    """Reports whether a proxy can set the header without changing the meaning of the request."""
    lower = name.lower()
    return bool(_TOKEN.match(name)) and lower not in _NOT_THESE and not lower.startswith(_NOT_BEGINNING)


Allowed = frozenset[tuple[str, int]]
"""Hosts and ports for which the operator allows private addresses and http (``PORTICO_OUTBOUND_ALLOW``)."""

INVALID_WEB_ENDPOINT = ErrorCode(
    "USER-601",
    Kind.INVALID_REQUEST,
    "This address is not an https address, and the setting PORTICO_OUTBOUND_ALLOW does not list it.",
    "Use an https address without user information, or list its host and port in PORTICO_OUTBOUND_ALLOW.",
)
INVALID_ENDPOINT = ErrorCode(
    "USER-602",
    Kind.INVALID_REQUEST,
    "This address is not a public https address, and the setting PORTICO_OUTBOUND_ALLOW does not list it.",
    "Use a public https address without user information, or list its host and port in PORTICO_OUTBOUND_ALLOW.",
)
INVALID_HEADER = ErrorCode(
    "USER-603",
    Kind.INVALID_REQUEST,
    "This header cannot carry a JWT.",
    "Use the name of a custom header, or leave it empty for Authorization.",
)
INVALID_ISSUER = ErrorCode(
    "USER-604",
    Kind.INVALID_REQUEST,
    "Invalid issuer.",
    "Use the iss of the JWTs, without surrounding spaces or control characters.",
)
INVALID_SCOPE = ErrorCode(
    "USER-605", Kind.INVALID_REQUEST, "Invalid scope.", "Use one word without spaces and quotes (RFC 6749)."
)

_SCOPE: Final = re.compile(r"[\x21\x23-\x5b\x5d-\x7e]{1,200}\Z")


def problems_of(idp: Idp, allowed: Allowed) -> Problems:
    if not is_name(idp.name):
        yield Problem("name", INVALID_NAME)
    match idp.config:
        case JwtConfig() as config:
            yield from _jwt(config, allowed)
        case OidcConfig() as config:
            yield from _oidc(config, allowed)
        case Oauth2Config() as config:
            yield from _oauth2(config, allowed)
        case LdapConfig() as config:
            yield from problems_of_ldap(config, allowed)
    yield from problems_of_tables(idp)


def _jwt(config: JwtConfig, allowed: Allowed) -> Problems:
    if not _is_web_endpoint(config.jwt_endpoint, allowed):
        yield Problem("jwtEndpoint", INVALID_WEB_ENDPOINT)
    if not is_name(config.issuer):
        yield Problem("issuer", INVALID_ISSUER)
    if not may_be_requested(config.keys_endpoint, allowed):
        yield Problem("keysEndpoint", INVALID_ENDPOINT)
    if config.header_name and not is_header_name(config.header_name):
        yield Problem("headerName", INVALID_HEADER)


def _oidc(config: OidcConfig, allowed: Allowed) -> Problems:
    # The discovery URL is derived from the issuer.
    if not may_be_requested(config.issuer, allowed) or "?" in config.issuer or "#" in config.issuer:
        yield Problem("issuer", INVALID_ENDPOINT)
    yield from _client(config)
    yield from problems_of_preset(config)


def _oauth2(config: Oauth2Config, allowed: Allowed) -> Problems:
    if not _is_web_endpoint(config.authorization_endpoint, allowed):
        yield Problem("authorizationEndpoint", INVALID_WEB_ENDPOINT)
    asked = {"tokenEndpoint": config.token_endpoint, "userinfoEndpoint": config.userinfo_endpoint}
    if config.emails_endpoint:
        asked["emailsEndpoint"] = config.emails_endpoint
    for path, url in asked.items():
        if not may_be_requested(url, allowed) or "#" in url:
            yield Problem(path, INVALID_ENDPOINT)
    yield from _client(config)
    yield from problems_of_oauth2(config)


def _client(config: OidcConfig | Oauth2Config) -> Problems:
    if not is_name(config.client_id):
        yield Problem("clientId", INVALID_NAME)
    for number, scope in enumerate(config.scopes):
        if not _SCOPE.match(scope):
            yield Problem(f"scopes[{number}]", INVALID_SCOPE)


def _is_web_endpoint(url: str, allowed: Allowed) -> bool:
    # Only the browser requests this URL, so it may be private.
    try:
        read_web_address(url, allowed)
    except AddressNotAllowed:
        return False
    return "#" not in url
