"""The grants of the token endpoint, one file each, listed in `GRANTS`.

The steps of every grant (client authentication, allow-list, scope, issuing, response) are in
`token_endpoint`, where no grant can skip them; class attributes of the grants configure them.
"""

from __future__ import annotations

from typing import Final

from portico_token.grants.authorization_code import AuthorizationCode
from portico_token.grants.device_code import DeviceCode
from portico_token.grants.protocol import GrantType
from portico_token.grants.refresh_token import RefreshToken
from portico_token.grants.service_user import ClientCredentials, JwtBearer
from portico_token.grants.token_exchange import TokenExchange

GRANTS: Final[dict[str, type[GrantType]]] = {
    kind.grant_type: kind
    for kind in (AuthorizationCode, RefreshToken, DeviceCode, ClientCredentials, JwtBearer, TokenExchange)
}
"""The implemented grants, by the exact value of `grant_type` (TK-19)."""
