"""Capabilities of this release; checks and discovery share these tables, so that they agree (AZ-19)."""

from __future__ import annotations

from typing import Final

from portico_contracts.users import CERTIFICATE_METHODS, INTROSPECTION_METHODS, AuthMethod
from portico_oauth import grant_types, jose
from portico_oauth.grant_types import AUTHORIZATION_CODE, IMPLICIT, REFRESH_TOKEN
from portico_oauth.response_types import ResponseMode, ResponseType
from portico_oauth.scopes import CLAIMS_OF_SCOPE, OFFLINE_ACCESS, STANDARD

from portico_authz.domain.prompt import Prompt

RESPONSE_TYPES: Final = tuple(ResponseType)
RESPONSE_MODES: Final = tuple(ResponseMode)
PROMPTS: Final = tuple(Prompt)

GRANT_TYPES: Final = tuple(one for one in grant_types.VALUES if one not in grant_types.OPTIONAL)
"""Without those that are advertised only where they are turned on."""

GRANT_OF_RESPONSE_TYPE: Final = {
    ResponseType.CODE: AUTHORIZATION_CODE,
    ResponseType.ID_TOKEN: IMPLICIT,
    ResponseType.ID_TOKEN_TOKEN: IMPLICIT,
}
"""The grant that a client must have registered to use a response type (OIDC Registration section 2)."""

TOKEN_AUTH_METHODS: Final = tuple(one for one in AuthMethod if one not in CERTIFICATE_METHODS)
"""Without those with certificates, which are advertised only where they are turned on."""

INTROSPECTION_AUTH_METHODS: Final = tuple(one for one in TOKEN_AUTH_METHODS if one in INTROSPECTION_METHODS)
REVOCATION_AUTH_METHODS: Final = TOKEN_AUTH_METHODS

ASSERTION_ALGS: Final = jose.ALGORITHMS

SCOPES: Final = tuple(word for word in STANDARD if word != OFFLINE_ACCESS or REFRESH_TOKEN in GRANT_TYPES)

CLAIMS: Final = (
    *("sub", "iss", "aud", "exp", "iat", "auth_time", "nonce", "acr", "amr", "azp", "sid", "at_hash"),
    *(claim for claims in CLAIMS_OF_SCOPE.values() for claim in claims),
)
