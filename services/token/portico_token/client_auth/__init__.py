"""Client authentication (RFC 6749 section 2.3, OIDC Core section 9), in two steps.

*Find* (`find.py`): matches the inputs that are present and returns `Credentials`, or raises invalid_request.
*Verify* (`authentication.py`): the method must be in `CLIENT_AUTH`, registered for the client, and allowed at the
endpoint. Only then is there an `AuthenticatedClient`. `by_assertion.py` is for the JWT profile grant.
"""

from __future__ import annotations

from typing import Final

from portico_contracts.users import AuthMethod

from portico_token.client_auth.methods import Method, NoSecret, SecretBasic, SecretPost
from portico_token.client_auth.private_key_jwt import PrivateKeyJwt

CLIENT_AUTH: Final[dict[AuthMethod, type[Method]]] = {
    kind.method: kind for kind in (SecretBasic, SecretPost, PrivateKeyJwt, NoSecret)
}
