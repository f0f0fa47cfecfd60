"""Grant types (RFC 6749 §4, RFC 7523 §2.1): their values, and which clients may be registered for them.

`GRANT_TYPES` is the one table: discovery, the registration of applications, what service users may use and the
generated page of grants are read from it; the token endpoint has one implementation for each of its rows.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Final, NamedTuple

AUTHORIZATION_CODE: Final = "authorization_code"
REFRESH_TOKEN: Final = "refresh_token"
CLIENT_CREDENTIALS: Final = "client_credentials"
JWT_BEARER: Final = "urn:ietf:params:oauth:grant-type:jwt-bearer"
IMPLICIT: Final = "implicit"
"""Never a value at the token endpoint: clients may be registered for it, discovery names it."""


class GrantTypeName(StrEnum):
    """OIDC_GRANT_TYPE_*: which grants the app may use."""

    AUTHORIZATION_CODE = "OIDC_GRANT_TYPE_AUTHORIZATION_CODE"
    IMPLICIT = "OIDC_GRANT_TYPE_IMPLICIT"
    REFRESH_TOKEN = "OIDC_GRANT_TYPE_REFRESH_TOKEN"


class GrantType(NamedTuple):
    """A grant type this provider supports.

    Attributes:
        value: of the parameter `grant_type`, and in the discovery document.
        name: by which an application is registered for it, as in the .proto files; None when no application can be.
        service_users: every service user may use it.
        at_token_endpoint: false when its tokens come from the authorization endpoint.
    """

    value: str
    name: GrantTypeName | None = None
    service_users: bool = False
    at_token_endpoint: bool = True


GRANT_TYPES: Final = (
    GrantType(AUTHORIZATION_CODE, GrantTypeName.AUTHORIZATION_CODE),
    GrantType(IMPLICIT, GrantTypeName.IMPLICIT, at_token_endpoint=False),
    GrantType(REFRESH_TOKEN, GrantTypeName.REFRESH_TOKEN),
    GrantType(JWT_BEARER, service_users=True),
    GrantType(CLIENT_CREDENTIALS, service_users=True),
)
"""In the order of the discovery document."""

VALUES: Final = tuple(row.value for row in GRANT_TYPES)
"""What discovery names."""

VALUE_OF_NAME: Final = {row.name: row.value for row in GRANT_TYPES if row.name is not None}
"""What an application may be registered for, by its name in the management API."""

OF_SERVICE_USERS: Final = tuple(row.value for row in GRANT_TYPES if row.service_users)
