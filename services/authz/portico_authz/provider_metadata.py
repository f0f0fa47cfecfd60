"""The capabilities of this release. Checks and discovery read these tables, so that the advertised ones are served (AZ-19).

A new response type, prompt or method is a word here, beside the unit that serves it.
"""

from __future__ import annotations

from typing import Final

from portico_contracts.users import AuthMethod
from portico_oauth import grant_types, jose
from portico_oauth.grant_types import AUTHORIZATION_CODE, IMPLICIT, REFRESH_TOKEN
from portico_oauth.response_types import ResponseMode, ResponseType
from portico_oauth.scopes import CLAIMS_OF_SCOPE, OFFLINE_ACCESS, STANDARD

from portico_authz.domain.prompt import Prompt

RESPONSE_TYPES: Final = tuple(ResponseType)
RESPONSE_MODES: Final = tuple(ResponseMode)
PROMPTS: Final = tuple(Prompt)

GRANT_TYPES: Final = grant_types.VALUES
"""Grants of the token endpoint, and the one whose tokens the authorization endpoint returns."""

GRANT_OF_RESPONSE_TYPE: Final = {
    ResponseType.CODE: AUTHORIZATION_CODE,
    ResponseType.ID_TOKEN: IMPLICIT,
    ResponseType.ID_TOKEN_TOKEN: IMPLICIT,
}
"""The grant a client must have registered to use a response type (OIDC Registration §2)."""

TOKEN_AUTH_METHODS: Final = (
    AuthMethod.CLIENT_SECRET_BASIC,
    AuthMethod.CLIENT_SECRET_POST,
    AuthMethod.PRIVATE_KEY_JWT,
    AuthMethod.NONE,
)
"""Methods the token endpoint serves."""

INTROSPECTION_AUTH_METHODS: Final = (AuthMethod.CLIENT_SECRET_BASIC, AuthMethod.PRIVATE_KEY_JWT)
"""Methods the introspection endpoint serves: never a bare client id, never a secret in the body."""

REVOCATION_AUTH_METHODS: Final = TOKEN_AUTH_METHODS
"""Methods the revocation endpoint serves."""

ASSERTION_ALGS: Final = jose.ALGORITHMS
"""Signature algorithms of client assertions."""

SCOPES: Final = tuple(word for word in STANDARD if word != OFFLINE_ACCESS or REFRESH_TOKEN in GRANT_TYPES)

CLAIMS: Final = (
    *("sub", "iss", "aud", "exp", "iat", "auth_time", "nonce", "acr", "amr", "azp", "sid", "at_hash"),
    *(claim for claims in CLAIMS_OF_SCOPE.values() for claim in claims),
)
"""Claims a relying party may receive, in id_token or userinfo."""
