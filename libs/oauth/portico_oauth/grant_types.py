"""Grant types (RFC 6749 section 4, RFC 7523 section 2.1, RFC 8628, RFC 8693): the source of discovery, registration and the docs."""

from __future__ import annotations

from enum import StrEnum
from typing import Final, NamedTuple

AUTHORIZATION_CODE: Final = "authorization_code"
REFRESH_TOKEN: Final = "refresh_token"
CLIENT_CREDENTIALS: Final = "client_credentials"
JWT_BEARER: Final = "urn:ietf:params:oauth:grant-type:jwt-bearer"
TOKEN_EXCHANGE: Final = "urn:ietf:params:oauth:grant-type:token-exchange"
DEVICE_CODE: Final = "urn:ietf:params:oauth:grant-type:device_code"
IMPLICIT: Final = "implicit"
"""Never a value at the token endpoint: clients may be registered for it, and discovery lists it."""


class GrantTypeName(StrEnum):
    """OIDC_GRANT_TYPE_*: which grants the app may use."""

    AUTHORIZATION_CODE = "OIDC_GRANT_TYPE_AUTHORIZATION_CODE"
    IMPLICIT = "OIDC_GRANT_TYPE_IMPLICIT"
    REFRESH_TOKEN = "OIDC_GRANT_TYPE_REFRESH_TOKEN"
    DEVICE_CODE = "OIDC_GRANT_TYPE_DEVICE_CODE"
    TOKEN_EXCHANGE = "OIDC_GRANT_TYPE_TOKEN_EXCHANGE"


class GrantType(NamedTuple):
    """`name` is that in the .proto files, None when applications cannot use it.

    An `optional` one is off by default, and advertised only where it is turned on.
    """

    value: str
    name: GrantTypeName | None = None
    service_users: bool = False
    at_token_endpoint: bool = True
    optional: bool = False


GRANT_TYPES: Final = (
    GrantType(AUTHORIZATION_CODE, GrantTypeName.AUTHORIZATION_CODE),
    GrantType(IMPLICIT, GrantTypeName.IMPLICIT, at_token_endpoint=False),
    GrantType(REFRESH_TOKEN, GrantTypeName.REFRESH_TOKEN),
    GrantType(DEVICE_CODE, GrantTypeName.DEVICE_CODE, optional=True),
    GrantType(JWT_BEARER, service_users=True),
    GrantType(CLIENT_CREDENTIALS, service_users=True),
    GrantType(TOKEN_EXCHANGE, GrantTypeName.TOKEN_EXCHANGE, optional=True),
)

VALUES: Final = tuple(row.value for row in GRANT_TYPES)

OPTIONAL: Final = tuple(row.value for row in GRANT_TYPES if row.optional)

VALUE_OF_NAME: Final = {row.name: row.value for row in GRANT_TYPES if row.name is not None}

OF_SERVICE_USERS: Final = tuple(row.value for row in GRANT_TYPES if row.service_users)
