"""What an identity provider must be like (IP-03, IP-08)."""

from __future__ import annotations

import re
from typing import Final

from portico_oauth.errors import ErrorCode, Kind
from portico_runtime.addresses import AddressNotAllowed, read_target, read_web_address

from portico_users.directory.identity_providers.header_names import is_header_name
from portico_users.directory.identity_providers.idp import Idp, JwtConfig, OidcConfig
from portico_users.directory.identity_providers.ldap import LdapConfig
from portico_users.directory.identity_providers.ldap_rules import problems_of_ldap
from portico_users.directory.identity_providers.oauth2_config import Oauth2Config
from portico_users.directory.identity_providers.preset_rules import problems_of_oauth2, problems_of_preset
from portico_users.directory.identity_providers.table_rules import problems_of_tables
from portico_users.kernel.names import INVALID_NAME, is_name
from portico_users.kernel.problems import Problem, Problems

Allowed = frozenset[tuple[str, int]]
"""Hosts and ports the operator allows that may be private, and http (``PORTICO_OUTBOUND_ALLOW``)."""

INVALID_WEB_ENDPOINT = ErrorCode(
    "USER-601",
    Kind.INVALID_REQUEST,
    "The browser cannot be redirected to this address.",
    "Use an https address without user information. Other hosts must be listed in PORTICO_OUTBOUND_ALLOW.",
)
INVALID_ENDPOINT = ErrorCode(
    "USER-602",
    Kind.INVALID_REQUEST,
    "This address cannot be called from this installation.",
    "Use a public https address without user information. Other hosts must be listed in PORTICO_OUTBOUND_ALLOW.",
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
    """Everything wrong with it, by the names of the management API."""
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
    if not _may_be_asked(config.keys_endpoint, allowed):
        yield Problem("keysEndpoint", INVALID_ENDPOINT)
    if config.header_name and not is_header_name(config.header_name):
        yield Problem("headerName", INVALID_HEADER)


def _oidc(config: OidcConfig, allowed: Allowed) -> Problems:
    # Its discovery document is asked below the issuer.
    if not _may_be_asked(config.issuer, allowed) or "?" in config.issuer or "#" in config.issuer:
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
        if not _may_be_asked(url, allowed) or "#" in url:
            yield Problem(path, INVALID_ENDPOINT)
    yield from _client(config)
    yield from problems_of_oauth2(config)


def _client(config: OidcConfig | Oauth2Config) -> Problems:
    if not is_name(config.client_id):
        yield Problem("clientId", INVALID_NAME)
    for number, scope in enumerate(config.scopes):
        if not _SCOPE.match(scope):
            yield Problem(f"scopes[{number}]", INVALID_SCOPE)


def _may_be_asked(url: str, allowed: Allowed) -> bool:
    try:
        read_target(url, allowed)
    except AddressNotAllowed:
        return False
    return True


def _is_web_endpoint(url: str, allowed: Allowed) -> bool:
    # Only the browser goes there, so that a private address is its own business.
    try:
        read_web_address(url, allowed)
    except AddressNotAllowed:
        return False
    return "#" not in url
