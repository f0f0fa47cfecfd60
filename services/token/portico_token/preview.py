"""What a user would get at an application with a scope (decision 0141): computed by what issues tokens, without a key.

Nothing is signed or stored, so that the text of a preview never works as a token.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

import msgspec
from msgspec.structs import replace
from portico_contracts.authz import CodeGrant
from portico_contracts.token import AppliedClaimRule, DroppedScope, PreviewTokens, ScopeDropped, TokensPreviewed
from portico_contracts.users import Api, ClaimPlace, Client, Consent, NotGiven, UserClaims
from portico_oauth.assurance import ACR_PASSWORD
from portico_oauth.errors import ErrorCode, Kind
from portico_oauth.opaque import b64url
from portico_oauth.scopes import METADATA, OFFLINE_ACCESS, OPENID, asks_for, projects_in

from portico_token.active_tokens import ActiveToken
from portico_token.cached_users import CachedUsers
from portico_token.domain.claim_rules import left_out, value_of
from portico_token.domain.lifetimes import Lifetimes
from portico_token.domain.origin import Origin
from portico_token.grants.protocol import GrantDependencies
from portico_token.grants.results import NewGrant
from portico_token.grants.sign_in import result_of_sign_in
from portico_token.introspection import Introspection
from portico_token.issuing.access_tokens import AccessTokens, NewAccessToken
from portico_token.issuing.id_tokens import IdTokens
from portico_token.issuing.private_claims import PrivateClaims
from portico_token.issuing.subject import Subjects
from portico_token.previewed_roles import PreviewedRoles
from portico_token.signing.signer import ACCESS_TOKEN_TYPE, ID_TOKEN_TYPE
from portico_token.userinfo import Userinfo

CLIENT_INACTIVE = ErrorCode(
    "TOKEN-295",
    Kind.FAILED_PRECONDITION,
    "The application or its project is not active.",
    "Activate the application, its project and its organization.",
)
USER_INACTIVE = ErrorCode(
    "TOKEN-296", Kind.FAILED_PRECONDITION, "The user is not active.", "Activate or unlock the user."
)
NOT_ADMITTED = ErrorCode(
    "TOKEN-297",
    Kind.FAILED_PRECONDITION,
    "The user may not sign in to this application: its project demands a role or a project grant.",
    "Grant the user a role in the project, or grant the project to the user's organization.",
)

_SIGNATURE: Final = 342
"""Characters of an RS256 signature with 2048 bits."""
_TYPES: Final = {ClaimPlace.ID_TOKEN: ID_TOKEN_TYPE, ClaimPlace.ACCESS_TOKEN: ACCESS_TOKEN_TYPE}

_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder().decode


class Unsigned:
    """In place of the signer: keeps the claims by type, and returns a text of the length of the token."""

    def __init__(self) -> None:
        self.claims: dict[str, bytes] = {}

    def sign(self, claims: dict[str, Any], _alg: str, typ: str) -> str:
        self.claims[typ] = _encode(claims)
        header = f'{{"alg":"none","typ":"{typ}"}}'.encode()
        return f"{b64url(header)}.{b64url(self.claims[typ])}.{'-' * _SIGNATURE}"


class TokenPreview:
    def __init__(
        self,
        issuer: str,
        dependencies: GrantDependencies,
        answers: Callable[[CachedUsers, PrivateClaims], tuple[Userinfo, Introspection]],
        longest: Lifetimes,
        *,
        zitadel_names: bool = False,
    ) -> None:
        self._issuer = issuer
        self._dependencies = dependencies
        self._private_claims = PrivateClaims(dependencies.users)
        self._subjects = Subjects(dependencies.users, self._private_claims)
        self._answers = answers
        self._userinfo, self._introspection = answers(dependencies.users, self._private_claims)
        self._longest = longest
        self._zitadel_names = zitadel_names

    async def answer(self, ask: PreviewTokens) -> TokensPreviewed:
        """Raises TOKEN-295 to TOKEN-297, and TOKEN-142 to TOKEN-145, TOKEN-293 and TOKEN-294 for what is too long."""
        if ask.roles is not None:
            return await self._with(PreviewedRoles(self._dependencies.users, ask.user_id, ask.roles)).answer(
                replace(ask, roles=None)
            )
        person, client = await self._parties(ask)
        now = self._dependencies.clock.now()
        signed_in = CodeGrant(
            grant_id="preview", client_id=client.client_id, user_id=ask.user_id, session_id="", scope=ask.scope,
            auth_time=int(now), amr=(), acr=client.minimum_acr or ACR_PASSWORD, auth_time_proven=True,
        )  # fmt: skip
        granted = await result_of_sign_in(self._dependencies, signed_in, client, (), now=self._dependencies.clock.now())
        contents = await self._contents(granted, person, now)
        scope = granted.grant.scope
        left_out = tuple(word for word in ask.scope if word not in scope)
        apis = await self._dependencies.users_client.apis_of(left_out, client)
        dropped = [_dropped(word, apis) for word in left_out]
        return TokensPreviewed(
            scope=scope,
            dropped=tuple(dropped),
            rules=tuple(await self._rules(client, scope, person, contents)),
            token_hook=client.token_hook.id if client.token_hook else "",
            **{place.value: _encode(claims).decode() for place, claims in contents.items()},
        )

    def _with(self, users: CachedUsers) -> TokenPreview:
        dependencies = dataclasses.replace(self._dependencies, users=users)
        return TokenPreview(self._issuer, dependencies, self._answers, self._longest, zitadel_names=self._zitadel_names)

    async def _parties(self, ask: PreviewTokens) -> tuple[UserClaims, Client]:
        """Both as if the user had allowed everything."""
        client = await self._dependencies.users_client.find_client(ask.client_id)
        if client is None:
            raise CLIENT_INACTIVE.error(client=ask.client_id)
        person = await self._dependencies.users.claims_of(ask.user_id)
        if person.user is None:
            raise USER_INACTIVE.error(user=ask.user_id)
        if not await self._dependencies.users.has_project_access(ask.user_id, client):
            raise NOT_ADMITTED.error(user=ask.user_id)
        rules = client.claim_rules if ask.claim_rules is None else ask.claim_rules
        return person, replace(client, consent=Consent.NONE, claim_rules=rules)

    async def _contents(self, granted: NewGrant, person: UserClaims, now: float) -> dict[ClaimPlace, dict[str, Any]]:
        """What is issued and answered, by place; without what is not."""
        unsigned, with_id_token = Unsigned(), OPENID in granted.id_token.scope
        options = {"zitadel_names": self._zitadel_names}
        access_tokens = AccessTokens(self._issuer, unsigned, self._dependencies.random, self._longest, **options)
        subject = await self._subjects.load(granted, access_token=True, id_token=with_id_token)
        access = access_tokens.new(granted, now)
        text = access_tokens.text(access, granted, subject)
        if with_id_token:
            IdTokens(self._issuer, unsigned, self._longest, **options).make(granted, subject, text, int(now))
        active = _active(granted, person, access)
        found = {place: _decode(unsigned.claims[typ]) for place, typ in _TYPES.items() if typ in unsigned.claims}
        if OPENID in active.scope:
            found[ClaimPlace.USERINFO] = await self._userinfo.claims_of(active)
        found[ClaimPlace.INTROSPECTION] = await self._introspection.members_of(active, granted.client)
        return found

    async def _rules(
        self,
        client: Client,
        scope: tuple[str, ...],
        person: UserClaims,
        contents: Mapping[ClaimPlace, Mapping[str, Any]],
    ) -> list[AppliedClaimRule]:
        sources = await self._private_claims.sources(client.claim_rules, client, person, None)
        found = []
        for rule in client.claim_rules:
            value = left_out(rule, client, scope, rule.places) or value_of(rule, client, sources)
            is_given = not isinstance(value, NotGiven)
            places = [place for place, claims in contents.items() if is_given and claims.get(rule.claim) == value]
            reason = None if places else NotGiven.ANOTHER_PLACE if is_given else value
            found.append(
                AppliedClaimRule(claim=rule.claim, of_project=rule.of_project, places=tuple(places), reason=reason)
            )
        return found


def _active(granted: NewGrant, person: UserClaims, access: NewAccessToken) -> ActiveToken:
    record, client = access.record, granted.client
    audience, user_id = granted.access_token.audience, granted.grant.user_id
    return ActiveToken(
        access.id, Origin.SIGN_IN, user_id, client.client_id, audience, record.scope, record.issued, record.expires,
        person, client, grant=granted.grant,
    )  # fmt: skip


def _dropped(word: str, apis: Iterable[Api]) -> DroppedScope:
    for api in apis:
        for one in api.role_scopes:
            if one.scope == word:
                return DroppedScope(scope=word, reason=ScopeDropped.ROLE, roles=one.roles, project_id=api.project_id)
    return DroppedScope(scope=word, reason=reason_of(word))


def reason_of(word: str) -> ScopeDropped:
    if word == OFFLINE_ACCESS:
        return ScopeDropped.NO_REFRESH_TOKENS
    if asks_for((word,), METADATA):
        return ScopeDropped.METADATA
    return ScopeDropped.PROJECT if projects_in((word,)) else ScopeDropped.UNKNOWN
