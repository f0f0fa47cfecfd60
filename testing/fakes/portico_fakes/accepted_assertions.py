"""A client that an organization lets use an API for users of an identity provider, and the assertions of that provider
(decision 0157).
"""

from __future__ import annotations

from itertools import count
from typing import Any, Final

import httpx
from portico_contracts.users import Api, AssertedAccess, AssertionTrust, IssuerKeys
from portico_oauth.grant_types import JWT_BEARER
from portico_oauth.jose import SigningKey

from portico_fakes.assertions import registered, sign
from portico_fakes.token_service import ISSUER, SECRET, USER, TokenService

PROVIDER: Final = "https://acme.idp.example.test"
PROVIDER_ID: Final = "idp-1"
CLIENT: Final = "agent"
RESOURCE: Final = "https://files.example.test/mcp"
SUBJECT: Final = "U019488227"
TYPE: Final = "oauth-id-jag+jwt"
KEY, OTHER = (SigningKey.generate(kid, alg) for kid, alg in (("p1", "ES256"), ("p2", "RS256")))
FILES: Final = Api(
    client_id="files",
    resources=(RESOURCE, "https://files.example.test/other"),
    scopes=("files.read", "files.write", "files.erase"),
    default_scopes=("files.read",),
)

_numbers = count()


def trust(**changes: Any) -> AssertionTrust:
    values: dict[str, Any] = {
        "provider_id": PROVIDER_ID,
        "name": "Acme",
        "org_id": "org-1",
        "access": (AssertedAccess(resource=RESOURCE, scopes=("files.read", "files.write")),),
    }
    return AssertionTrust(**values | changes)


def claims(service: TokenService, **changes: Any) -> dict[str, Any]:
    """As the draft shows them; an ellipsis removes a claim."""
    now = int(service.clock.now())
    given = {
        "jti": f"j{next(_numbers)}",
        "iss": PROVIDER,
        "sub": SUBJECT,
        "aud": ISSUER,
        "client_id": CLIENT,
        "exp": now + 300,
        "iat": now,
        "resource": RESOURCE,
        "scope": "files.read files.write",
        **changes,
    }
    return {name: value for name, value in given.items() if value is not ...}


def assertion(
    service: TokenService, key: SigningKey = KEY, header: dict[str, Any] | None = None, **changes: Any
) -> str:
    return sign(key, claims(service, **changes), **{"typ": TYPE, **(header or {})})


async def exchange(
    service: TokenService, text: str, client_id: str = CLIENT, /, headers: dict[str, str] | None = None, **form: Any
) -> httpx.Response:
    """Requests an access token for an assertion, as a client with a secret."""
    asked = {"grant_type": JWT_BEARER, "assertion": text, **form}
    return await service.token(asked, basic=(client_id, SECRET), headers=headers or {})


def with_trust(service: TokenService, **changes: Any) -> TokenService:
    """Adds the client, an API that it may use, the rule that lets it, and the link of the user."""
    service.register(CLIENT)
    service.register("files", grant_types=())
    service.users.apis[CLIENT] = (FILES,)
    service.users.accepted.trusts[CLIENT, PROVIDER] = (trust(**changes),)
    service.users.accepted.links[PROVIDER_ID, SUBJECT] = USER
    service.users.issuer_keys[PROVIDER] = IssuerKeys(keys=(registered(KEY),))
    return service
