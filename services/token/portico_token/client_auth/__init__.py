"""How clients authenticate (RFC 6749 §2.3, OIDC Core §9), in two moves.

*Find* (`find.py`): one match over which inputs are present gives `Credentials`, or invalid_request.
*Verify* (`authentication.py`): the method registered for the client must be in `CLIENT_AUTH`, allowed where
it is used, and fit the credentials found. Only then is there an `AuthenticatedClient`.
"""

from __future__ import annotations

from typing import Final

from portico_contracts.users import AuthMethod

from portico_token.client_auth.method import Method
from portico_token.client_auth.none import NoSecret
from portico_token.client_auth.secret_basic import SecretBasic
from portico_token.client_auth.secret_post import SecretPost

CLIENT_AUTH: Final[dict[AuthMethod, Method]] = {
    method.method: method for method in (SecretBasic(), SecretPost(), NoSecret())
}
"""The methods there are."""
