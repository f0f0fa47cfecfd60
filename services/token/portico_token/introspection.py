"""The introspection endpoint (RFC 7662).

Only a client in the token's audience may learn that a token is active; every other response has the same
bytes (IR-01). Stored claims about a user come first, protocol claims last (JW-20).
"""

from __future__ import annotations

from typing import Any, Final

import msgspec
from portico_contracts.http import INTROSPECT
from portico_contracts.users import INTROSPECTION_METHODS, ClaimPlace, Client
from portico_oauth.dpop import SCHEME
from portico_oauth.scopes import PROJECT_ROLES, asks_for
from portico_oauth.zitadel_names import with_asked_names
from portico_web.json_response import JsonResponse
from starlette.requests import Request
from starlette.responses import Response

from portico_token.active_tokens import ActiveToken, ActiveTokens, roles_of
from portico_token.cached_users import CachedUsers
from portico_token.client_auth.authentication import ClientAuthentication
from portico_token.credential_form import CLIENT, load_token, read_presented
from portico_token.domain.claims import user_claims
from portico_token.issuing.issuer import BEARER
from portico_token.issuing.private_claims import PrivateClaims
from portico_token.issuing.sign_in import sign_in_of

METHODS: Final = frozenset(INTROSPECTION_METHODS)

INACTIVE: Final = b'{"active":false}'

_encode = msgspec.json.Encoder().encode


class Introspection:
    def __init__(
        self,
        issuer: str,
        authentication: ClientAuthentication,
        tokens: ActiveTokens,
        users: CachedUsers,
        private_claims: PrivateClaims,
        *,
        zitadel_names: bool = False,
    ) -> None:
        self._issuer = issuer
        self._authentication = authentication
        self._tokens = tokens
        self._users = users
        self._private_claims = private_claims
        self._zitadel_names = zitadel_names

    async def answer(self, request: Request) -> Response:
        """Raises ServiceError: of the failed step."""
        # 1 Read the form once.
        presented = await read_presented(request)
        # 2 Authenticate the client: only with a secret in the header or with an assertion.
        caller = (await self._authentication.authenticate(presented, METHODS, INTROSPECT)).client
        request.scope[CLIENT] = caller
        # 3 Is there a token, and is it active for this client?
        active = await self._tokens.find(load_token(presented.form))
        if active is None or not is_for(active, caller):
            return JsonResponse(INACTIVE)
        # 4 Its claims, and of roles only those in the project of the calling client.
        return JsonResponse(_encode(await self.members_of(active, caller)))

    async def members_of(self, active: ActiveToken, caller: Client) -> dict[str, Any]:
        """The answer about a token that is for the calling client.

        Members about the user come first, so that they cannot replace others (JW-20).
        """
        person = active.person
        response = {"active": True, **user_claims(person, active.scope, ()), **await self._about_user(active, caller)}
        response |= {
            "active": True,
            "aud": active.audience,
            "client_id": active.client_id,
            "exp": active.expires,
            "iat": active.issued,
            "iss": self._issuer,
            "jti": active.id,
            "nbf": active.issued,
            "scope": " ".join(active.scope),
            "sub": active.user_id,
            "token_type": SCHEME if active.jkt else BEARER,
            "username": person.user.login_name if person.user else "",
        }
        if active.client and active.client.access_token_acr and active.grant:
            response |= sign_in_of(active.grant, active.client.clock_skew_seconds)
        if active.actor:
            response["act"] = {"sub": active.actor}
        if active.jkt:
            response["cnf"] = {"jkt": active.jkt}
        return with_asked_names(response, active.scope) if self._zitadel_names else response

    async def _about_user(self, active: ActiveToken, caller: Client) -> dict[str, Any]:
        client, project = active.client, caller.project_id
        asserted = client is not None and (client.access_token_roles or client.userinfo_roles)
        is_requested = asserted or asks_for(active.scope, PROJECT_ROLES)
        if not project:
            return {}
        roles = await roles_of(self._users, active, (project,), project, is_requested=is_requested)
        if client is not None and client.groups_claim and client.org_id == caller.org_id:
            roles[client.groups_claim] = await self._users.groups_of(active.person.user, client, active.version)
        has_private = client is not None and (client.claim_rules or client.token_hook is not None)
        if client is not None and has_private and client.project_id == project:
            # Those of a JWT too: the answer does not depend on the type of the token.
            places = (ClaimPlace.ACCESS_TOKEN, ClaimPlace.INTROSPECTION)
            shown = self._private_claims.shown
            found = await shown(
                client, active.person, active.scope, *places, version=active.version, grant=active.grant
            )
            roles = found | roles
        return roles


def is_for(token: ActiveToken, caller: Client) -> bool:
    """Returns whether the client or its project is in the token's audience (IR-01). A service user has no project."""
    return caller.client_id in token.audience or caller.project_id in token.audience
