"""Access tokens for identity assertions (draft-ietf-oauth-identity-assertion-authz-grant, RFC 7523 section 2.1).

An issuer that an administrator trusts has signed in the user, and states for which client and API the assertion is; the
rule of the administrator replaces consent (decision 0157). The access token is for that API alone, without a
refresh token, and is active while rule, provider, link, user and client are.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, NamedTuple

from portico_contracts.diagnostics import Hint
from portico_contracts.users import AssertedAccess, AssertionTrust, AuthMethod, Target, targets_of
from portico_oauth import grant_types
from portico_oauth.errors import ErrorCode, Kind
from portico_oauth.opaque import bucket_of, new_opaque
from portico_oauth.parameters import RESOURCE
from portico_oauth.resources import resource_key
from portico_runtime.diagnostics.shown import MOST_WANTED, shown_uri, shown_uris

from portico_token.accepted_assertions.claims import (
    IdentityClaims,
    Refused,
    refuse_other_account,
    refuse_other_key,
)
from portico_token.accepted_assertions.verification import AcceptedAssertions, Verified
from portico_token.domain.audience import audience_of_targets, projects_of_audience
from portico_token.domain.clients import AuthenticatedClient
from portico_token.domain.grants import AssertedBy, Grant
from portico_token.domain.origin import Origin
from portico_token.grants.protocol import GrantDependencies, GrantType, IdTokenPolicy, ScopePolicy
from portico_token.grants.requested_resources import requested_resources
from portico_token.grants.results import AccessTokenSpec, IdTokenSpec, NewGrant
from portico_token.grants.role_scopes import withheld_scopes

NOT_ACCEPTED = ErrorCode(
    "TOKEN-340",
    Kind.INVALID_GRANT,
    "The identity assertion is not accepted.",
    "Request a new one from the identity provider, for this client, this issuer and one API. The diagnostics of the"
    " request name what was wanted.",
)


class _Subject(NamedTuple):
    trust: AssertionTrust
    user_id: str
    access: AssertedAccess


class AcceptedAssertion(GrantType):
    """Issues a token to a client for a user whom a trusted issuer has signed in."""

    grant_type: ClassVar[str] = grant_types.JWT_BEARER
    parameters: ClassVar[frozenset[str]] = frozenset({"assertion", RESOURCE})
    methods: ClassVar[frozenset[AuthMethod]] = frozenset(AuthMethod) - {AuthMethod.NONE}
    scope: ClassVar[ScopePolicy] = ScopePolicy.OPTIONAL
    id_token: ClassVar[IdTokenPolicy] = IdTokenPolicy.NEVER
    is_registered: ClassVar[bool] = False

    def __init__(self, dependencies: GrantDependencies, assertions: AcceptedAssertions) -> None:
        super().__init__(dependencies)
        self._assertions = assertions

    async def authorize(
        self, parameters: Mapping[str, str], client: AuthenticatedClient, scope: tuple[str, ...] | None
    ) -> NewGrant:
        """Raises TOKEN-340 alike for whatever is wrong with the assertion."""
        requested = requested_resources(parameters)
        try:
            verified = await self._assertions.verify(parameters["assertion"], client.client)
            claims = verified.claims
            refuse_other_key(claims, client)
            target = await self._target(claims, client, requested)
            subject = await self._subject(verified, client, target)
            words = await self._words(claims, subject, target, scope)
            if not await self._dependencies.users.has_project_access(subject.user_id, client.client):
                raise Refused(Hint.NOT_ALLOWED, "project")
            await self._assertions.claim(claims)
        except Refused as refused:
            raise NOT_ACCEPTED.error(client=client.client.client_id, compared=refused.compared) from refused
        return self._granted(claims, client, subject, target, words)

    async def _target(self, claims: IdentityClaims, client: AuthenticatedClient, requested: tuple[str, ...]) -> Target:
        """The API of the assertion, of those that the client may use; a parameter `resource` may only repeat it."""
        apis = await self._dependencies.users_client.all_apis_of(client.client)
        found = targets_of((claims.resource,), apis)
        if not found or any(resource_key(one) != resource_key(claims.resource) for one in requested):
            wanted = shown_uris(resource for api in apis for resource in api.resources)[:MOST_WANTED]
            raise Refused(Hint.NOT_ALLOWED, shown_uri(claims.resource), wanted)
        return found[0]

    async def _subject(self, verified: Verified, client: AuthenticatedClient, target: Target) -> _Subject:
        """The one linked user; organizations that share an issuer without pinning a tenant may both have one."""
        claims, found = verified.claims, []
        for trust in verified.trusts:
            asked = AssertedBy(trust.provider_id, claims.iss, claims.sub)
            asserted = await self._dependencies.users_client.find_asserted(asked, client.client.client_id)
            if asserted.user_id:
                found.append((trust, asserted))
        if len(found) != 1:
            raise Refused(Hint.UNKNOWN if not found else Hint.WRONG_SUBJECT, "sub", ("a linked user",))
        trust, asserted = found[0]
        access = access_to(target.resource, asserted.access)
        if access is None:
            wanted = shown_uris(one.resource for one in asserted.access)[:MOST_WANTED]
            raise Refused(Hint.NOT_ALLOWED, shown_uri(target.resource), wanted)
        refuse_other_account(claims, trust, asserted.user_id)
        return _Subject(trust, asserted.user_id, access)

    async def _words(
        self, claims: IdentityClaims, subject: _Subject, target: Target, requested: tuple[str, ...] | None
    ) -> tuple[str, ...]:
        """What assertion, request, API, rule and roles allow; raises Refused where that is nothing of something."""
        api = target.api
        stated = claims.scope if claims.scope is not None else requested
        wanted = api.default_scopes if stated is None else stated
        words = tuple(word for word in wanted if word in api.scopes and word in subject.access.scopes)
        if requested is not None:
            words = tuple(word for word in words if word in requested)
        if api.role_scopes and words:
            withheld = await withheld_scopes(self._dependencies.users, words, (api,), subject.user_id)
            words = tuple(word for word in words if word not in withheld)
        if not words and (wanted or api.scopes):
            raise Refused(Hint.NOT_ALLOWED, "scope", subject.access.scopes[:MOST_WANTED])
        return words

    def _granted(
        self,
        claims: IdentityClaims,
        client: AuthenticatedClient,
        subject: _Subject,
        target: Target,
        words: tuple[str, ...],
    ) -> NewGrant:
        now, audience = self._dependencies.clock.now(), audience_of_targets((target,))
        grant = Grant(
            id=new_opaque(bucket_of(subject.user_id), self._dependencies.random, 128),
            user_id=subject.user_id,
            client_id=client.client.client_id,
            audience=audience,
            scope=words,
            session_id="",
            auth_time=int(now),
            auth_time_proven=False,
            amr=(),
            acr="",
            created=now,
            origin=Origin.ASSERTION,
            resources=(target.resource,),
            asserted=AssertedBy(subject.trust.provider_id, claims.iss, claims.sub),
        )
        projects = projects_of_audience(audience, client.client, {})
        access_token = AccessTokenSpec(audience=audience, scope=words, role_projects=projects, for_resources=True)
        return NewGrant(grant=grant, client=client.client, access_token=access_token, id_token=IdTokenSpec(scope=words))


def access_to(resource: str, access: tuple[AssertedAccess, ...]) -> AssertedAccess | None:
    return next((one for one in access if resource_key(one.resource) == resource_key(resource)), None)
