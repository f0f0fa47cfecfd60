"""The userinfo endpoint (OIDC Core section 5.3): the claims of an access token's scopes about its user."""

from __future__ import annotations

from typing import Any

import msgspec
from portico_contracts.http import USERINFO
from portico_contracts.users import ClaimPlace
from portico_oauth.errors import Compared, ErrorCode, Kind
from portico_oauth.scopes import OPENID, PROJECT_ROLES, asks_for
from portico_oauth.zitadel_names import with_asked_names
from portico_web.json_response import JsonResponse
from starlette.requests import Request
from starlette.responses import Response

from portico_token.active_tokens import ActiveToken, ActiveTokens, roles_of
from portico_token.bearer import read_bearer
from portico_token.cached_users import CachedUsers
from portico_token.domain.claims import user_claims
from portico_token.domain.origin import Origin
from portico_token.domain.roles import projects_of
from portico_token.dpop.possession import base_of, call_of, require_possession
from portico_token.dpop.proofs import Proofs, sent_proofs
from portico_token.issuing.private_claims import PrivateClaims
from portico_token.known_client import note_client

TOKEN_INACTIVE = ErrorCode(
    "TOKEN-064",
    Kind.INVALID_TOKEN,
    "The access token is not active.",
    "Get a new access token. This one expired or was revoked.",
)

NO_END_USER = ErrorCode(
    "TOKEN-201",
    Kind.INVALID_TOKEN,
    "The access token was issued to a client, not to a user.",
    "Use an access token from a sign-in or from the JWT profile.",
)
NO_OPENID = ErrorCode(
    "TOKEN-065",
    Kind.INSUFFICIENT_SCOPE,
    "The access token was issued without the scope openid.",
    "Request the scope openid.",
)

_encode = msgspec.json.Encoder().encode


class Userinfo:
    def __init__(
        self,
        tokens: ActiveTokens,
        users: CachedUsers,
        private_claims: PrivateClaims,
        proofs: Proofs,
        *,
        zitadel_names: bool = False,
    ) -> None:
        self._tokens = tokens
        self._users = users
        self._private_claims = private_claims
        self._proofs = proofs
        self._zitadel_names = zitadel_names

    async def answer(self, request: Request) -> Response:
        """Raises ServiceError: of the failed step."""
        # 1 Read the one token.
        presented = await read_bearer(request)
        # 2 Is it active, and are its client and user active?
        active = await self._tokens.find(presented.text)
        if active is None:
            raise TOKEN_INACTIVE.error(compared=Compared("access_token"))
        if active.client is not None:
            note_client(request, active.client)
        # 3 Does the caller have its key, and is it a token for userinfo?
        if active.jkt or presented.is_bound:
            if active.client is not None and active.client.dpop_nonce:
                self._proofs.nonces.send(request)
            call = call_of(
                active.client, request.method, base_of(request, self._proofs.issuer) + USERINFO, presented.text
            )
            await require_possession(self._proofs, presented, active.jkt, sent_proofs(request), call)
        if active.origin is Origin.CLIENT_CREDENTIALS:
            raise NO_END_USER.error(compared=Compared("end_user"))
        if OPENID not in active.scope:
            raise NO_OPENID.error(compared=Compared("scope", wanted=(OPENID,)))
        # 4 The claims of its scope.
        return JsonResponse(_encode(await self.claims_of(active)))

    async def claims_of(self, active: ActiveToken) -> dict[str, Any]:
        """The claims about the user of a token with the scope openid; last the subject (JW-20)."""
        client = active.client
        claims = user_claims(active.person, active.scope, active.userinfo_claims)
        if client is not None and (client.claim_rules or client.token_hook is not None):
            shown, place = self._private_claims.shown, ClaimPlace.USERINFO
            claims |= await shown(
                client, active.person, active.scope, place, version=active.version, grant=active.grant
            )
        is_requested = asks_for(active.scope, PROJECT_ROLES) or (client is not None and client.userinfo_roles)
        own_project = client.project_id if client else ""
        projects = projects_of(own_project, active.scope)
        claims |= await roles_of(self._users, active, projects, own_project, is_requested=is_requested)
        if client is not None and client.groups_claim:
            claims[client.groups_claim] = await self._users.groups_of(active.person.user, client, active.version)
        if self._zitadel_names:
            claims = with_asked_names(claims, active.scope)
        claims["sub"] = active.user_id
        return claims
