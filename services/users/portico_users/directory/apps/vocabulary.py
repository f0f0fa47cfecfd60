"""The names of the management API against the values of the wire."""

from __future__ import annotations

from typing import Final

from portico_contracts.apply import (
    AccessTokenTypeName,
    ApiAuthMethodName,
    AuthMethodName,
    ResponseTypeName,
)
from portico_contracts.users import AccessTokenType, AuthMethod
from portico_oauth import grant_types
from portico_oauth.response_types import ResponseType

RESPONSE_TYPES: Final = {
    ResponseTypeName.CODE: ResponseType.CODE,
    ResponseTypeName.ID_TOKEN: ResponseType.ID_TOKEN,
    ResponseTypeName.ID_TOKEN_TOKEN: ResponseType.ID_TOKEN_TOKEN,
}

GRANT_TYPES: Final = grant_types.VALUE_OF_NAME

AUTH_METHODS: Final[dict[AuthMethodName | ApiAuthMethodName, AuthMethod]] = {
    AuthMethodName.BASIC: AuthMethod.CLIENT_SECRET_BASIC,
    AuthMethodName.POST: AuthMethod.CLIENT_SECRET_POST,
    AuthMethodName.NONE: AuthMethod.NONE,
    AuthMethodName.PRIVATE_KEY_JWT: AuthMethod.PRIVATE_KEY_JWT,
    ApiAuthMethodName.BASIC: AuthMethod.CLIENT_SECRET_BASIC,
    ApiAuthMethodName.PRIVATE_KEY_JWT: AuthMethod.PRIVATE_KEY_JWT,
}

ACCESS_TOKEN_TYPES: Final = {
    AccessTokenTypeName.BEARER: AccessTokenType.OPAQUE,
    AccessTokenTypeName.JWT: AccessTokenType.JWT,
}

GRANT_OF_RESPONSE_TYPE: Final = {
    ResponseType.CODE.value: "authorization_code",
    ResponseType.ID_TOKEN.value: "implicit",
    ResponseType.ID_TOKEN_TOKEN.value: "implicit",
}
"""The grant type each response type needs to be allowed."""
