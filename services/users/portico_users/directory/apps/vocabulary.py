"""The names of the management API against the values of the wire."""

from __future__ import annotations

from typing import Final

from portico_contracts.apply import (
    AccessTokenTypeName,
)
from portico_contracts.users import AccessTokenType
from portico_oauth import grant_types
from portico_oauth.response_types import ResponseType

GRANT_TYPES: Final = grant_types.VALUE_OF_NAME

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
