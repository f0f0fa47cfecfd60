"""The grants of the token endpoint, one file each.

Adding one is one file, one word in `GRANTS`, one test file. The steps every grant shares (client
authentication, allow-list, issuing, answering) lie above, in `token_endpoint`, where no grant can skip them.
"""

from __future__ import annotations

from typing import Final

from portico_token.grants.authorization_code import AuthorizationCode
from portico_token.grants.protocol import GrantType

GRANTS: Final[dict[str, type[GrantType]]] = {kind.grant_type: kind for kind in (AuthorizationCode,)}
"""The grants there are, by the exact value of `grant_type` (TK-19)."""
