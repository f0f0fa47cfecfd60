"""The grants of the token endpoint, one file each.

Adding one is one file, one word in `GRANTS`, one test file. The steps every grant shares (client
authentication, allow-list, scope, issuing, answering) lie above, in `token_endpoint`, where no grant can skip them;
what differs between grants there is data of theirs.
"""

from __future__ import annotations

from typing import Final

from portico_token.grants.authorization_code import AuthorizationCode
from portico_token.grants.client_credentials import ClientCredentials
from portico_token.grants.jwt_bearer import JwtBearer
from portico_token.grants.protocol import GrantType
from portico_token.grants.refresh_token import RefreshToken

GRANTS: Final[dict[str, type[GrantType]]] = {
    kind.grant_type: kind for kind in (AuthorizationCode, RefreshToken, ClientCredentials, JwtBearer)
}
"""The grants there are, by the exact value of `grant_type` (TK-19)."""
