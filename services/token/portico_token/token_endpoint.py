"""The token endpoint as a pipeline: what every grant shares, in the order it happens (RFC 6749 §3.2, §5)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import msgspec
from portico_contracts.users import Client
from portico_oauth.errors import Fact, Kind
from portico_oauth.parameters import Parameters, read_parameters
from portico_web.forms import read_form
from portico_web.headers import NO_STORE
from starlette.requests import Request
from starlette.responses import Response

from portico_token.client_auth.authentication import ClientAuthentication
from portico_token.domain.token_set import TokenSet
from portico_token.grants import GRANTS
from portico_token.grants.protocol import GrantNeeds, GrantType
from portico_token.issuing.issuer import Issuer
from portico_token.signing.signer import Signer

NO_GRANT_TYPE = Fact(
    "TOKEN-001", Kind.MALFORMED, "The grant_type is missing.", "Name one of the grant types of the discovery document."
)
UNKNOWN_GRANT_TYPE = Fact(
    "TOKEN-002",
    Kind.GRANT_TYPE_UNKNOWN,
    "There is no such grant_type.",
    "Name one of the grant types of the discovery document, in the same case.",
)
GRANT_NOT_ALLOWED = Fact(
    "TOKEN-003",
    Kind.CLIENT_NOT_ALLOWED,
    "The client may not use this grant_type.",
    "Enable the grant type in the registration of the application.",
)
CREDENTIALS_IN_ADDRESS = Fact(
    "TOKEN-004",
    Kind.MALFORMED,
    "Parameters of the token request stand in the address.",
    "Send every parameter in the body.",
)

_SECRETS: Final = frozenset(
    {"client_id", "client_secret", "client_assertion", "assertion", "code", "code_verifier", "refresh_token", "token"}
)
"""What must not travel in an address, where logs keep it (TK-21)."""

_encode = msgspec.json.Encoder().encode


class TokenEndpoint:
    """Answers ``POST /oauth/v2/token``."""

    def __init__(self, authentication: ClientAuthentication, needs: GrantNeeds, issuer: Issuer, signer: Signer) -> None:
        self._authentication = authentication
        self._grants = {name: kind(needs) for name, kind in GRANTS.items()}
        self._issuer = issuer
        self._signer = signer

    async def answer(self, request: Request) -> Response:
        """Runs the steps.

        Raises:
            Refusal: of the step that refused.
        """
        # 1 Read the form once: no repeats, nothing in the address.
        form = await read_token_form(request)
        # 2 Find the grant in the table.
        grant_type = self._find_grant_type(form)
        # 3 Authenticate the client: one mechanism, the registered one, allowed for this grant.
        authorization = request.headers.getlist("authorization")
        client = await self._authentication.authenticate(authorization, form, grant_type.methods)
        # 4 May this client use this grant?
        refuse_grant_not_allowed(client.client, grant_type)
        # 5 Nothing is used up that could not be answered.
        self._signer.refuse_without_key(client.client.id_token_alg)
        # 6 What is granted? The grant reads its own parameters only, and claims what works once.
        granted = await grant_type.authorize(only(form, grant_type.parameters), client)
        # 7 Issue: the user is still active, the grant is kept, then there are tokens.
        tokens = await self._issuer.issue(granted, client.client)
        # 8 Answer, not to be stored.
        return token_answer(tokens)

    def _find_grant_type(self, form: Mapping[str, str]) -> GrantType:
        name = form.get("grant_type")
        if name is None:
            raise NO_GRANT_TYPE.refusal()
        grant_type = self._grants.get(name)
        if grant_type is None:
            raise UNKNOWN_GRANT_TYPE.refusal(grant_type=name[:80])
        return grant_type


async def read_token_form(request: Request) -> Parameters:
    """The form of a token request.

    Raises:
        Refusal: TOKEN-004 for secrets in the query, OAUTH-001 for a repeat, and those of `read_form`.
    """
    query = request.scope["query_string"]
    if query and not _SECRETS.isdisjoint(read_parameters(query)):
        raise CREDENTIALS_IN_ADDRESS.refusal()
    form = await read_form(request)
    form.refuse_repeats()
    return form


def refuse_grant_not_allowed(client: Client, grant_type: GrantType) -> None:
    """Raises TOKEN-003 unless the client is registered for the grant type (TK-19)."""
    if grant_type.grant_type not in client.grant_types:
        raise GRANT_NOT_ALLOWED.refusal(client=client.client_id, grant_type=grant_type.grant_type)


def only(form: Mapping[str, str], names: frozenset[str]) -> dict[str, str]:
    """The parameters with these names."""
    return {name: value for name, value in form.items() if name in names}


def token_answer(tokens: TokenSet) -> Response:
    """RFC 6749 §5.1."""
    return Response(_encode(tokens), media_type="application/json", headers=NO_STORE)
