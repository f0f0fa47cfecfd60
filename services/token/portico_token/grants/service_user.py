"""The grants of service users: the token is for the service user itself, without a session.

client_credentials (RFC 6749 section 4.4): only with a secret; neither an id_token nor a refresh token
(TK-20); userinfo refuses the access token, which has no end user (IR-09).

The JWT profile, urn:ietf:params:oauth:grant-type:jwt-bearer (RFC 7523 section 2.1): the assertion is the only
authentication, claimed in `client_auth.by_assertion` before this runs; always an id_token, never a refresh
token (TK-20).

`expires_in` is a form parameter of Portico: a shorter lifetime than the instance allows, never a longer one.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import ClassVar, Final

from portico_contracts.users import AccessTokenType, Api, AuthMethod, Client, Target, User, default_scope_of
from portico_oauth import grant_types
from portico_oauth.errors import Compared, ErrorCode, Kind
from portico_oauth.opaque import bucket_of, new_opaque
from portico_oauth.parameters import RESOURCE
from portico_oauth.scopes import of_apis, organization_in, reserved_in

from portico_token.domain.audience import (
    audience_of_service_user,
    audience_of_targets,
    projects_of_audience,
    scope_of_targets,
    with_roles,
    without_other_projects,
    without_unknown,
)
from portico_token.domain.clients import SECRET_METHODS, AuthenticatedClient
from portico_token.domain.grants import Grant
from portico_token.domain.origin import Origin
from portico_token.grants.permitted_scope import INVALID_SCOPE, compare_scope, without_offline_access
from portico_token.grants.protocol import (
    ClientIdentification,
    GrantDependencies,
    GrantType,
    IdTokenPolicy,
    ScopePolicy,
)
from portico_token.grants.requested_resources import find_targets, requested_resources
from portico_token.grants.results import AccessTokenSpec, IdTokenSpec, ServiceUserGrant
from portico_token.grants.role_scopes import with_words, withheld_scopes

EXPIRES_IN: Final = "expires_in"

INVALID_LIFETIME = ErrorCode(
    "TOKEN-291",
    Kind.INVALID_REQUEST,
    "The parameter expires_in is not a positive whole number.",
    "Send whole seconds, at least 1, or omit the parameter.",
)

_SECONDS: Final = re.compile(r"[1-9][0-9]{0,9}\Z", re.ASCII)


UNKNOWN_PROJECT = ErrorCode(
    "TOKEN-130",
    Kind.INVALID_SCOPE,
    "The scope names a project that the service user has no access to.",
    "Check the project id, or grant the service user a role in the project.",
)
FOREIGN_ORGANIZATION = ErrorCode(
    "TOKEN-131",
    Kind.INVALID_SCOPE,
    "The scope names an organization the service user does not belong to.",
    "Name the organization of the service user, or none.",
)
NOT_A_SERVICE_USER = ErrorCode(
    "TOKEN-132",
    Kind.UNAUTHORIZED_CLIENT,
    "Only a service user may use this grant_type.",
    "Create a service user. Applications use authorization codes and refresh tokens.",
)


class _OfServiceUser(GrantType):
    parameters: ClassVar[frozenset[str]] = frozenset({EXPIRES_IN, RESOURCE})
    scope: ClassVar[ScopePolicy] = ScopePolicy.REQUIRED
    origin: ClassVar[Origin]

    async def authorize(
        self, parameters: Mapping[str, str], client: AuthenticatedClient, scope: tuple[str, ...] | None
    ) -> ServiceUserGrant:
        scope, seconds, resources = scope or (), requested_seconds(parameters), requested_resources(parameters)
        user = client.user
        if user is None:
            compared = Compared("grant_type_allowed", grant_types.CLIENT_CREDENTIALS, client.client.grant_types)
            raise NOT_A_SERVICE_USER.error(client=client.client.client_id, compared=compared)
        reserved = reserved_in(scope)
        refuse_foreign_organization(user, scope)
        audiences = await self._dependencies.users_client.audiences_of(reserved, client.client)
        if without_other_projects(reserved, audiences) != reserved:
            raise UNKNOWN_PROJECT.error(user=user.user_id, compared=compare_scope(" ".join(scope)))
        targets, apis = await _apis(self._dependencies, client, scope, resources)
        if without_unknown(scope, apis) != scope:
            raise INVALID_SCOPE.error(compared=compare_scope(" ".join(scope)))
        offered: tuple[str, ...] = ()
        if targets:
            offered = scope_of_targets(scope, targets) or default_scope_of(target.api for target in targets)
        withheld: tuple[str, ...] = ()
        for api in apis:
            if api.role_scopes:
                withheld = await withheld_scopes(self._dependencies.users, (*scope, *offered), apis, user.user_id)
                scope, offered = (tuple(word for word in one if word not in withheld) for one in (scope, offered))
                apis = with_words(apis, scope)
                break
        audience = audience_of_targets(targets) or audience_of_service_user(user, reserved, audiences, apis)
        grant = self._new_grant(user, client.client, audience, without_offline_access(scope))
        projects = projects_of_audience(audience, client.client, audiences)
        access_token = AccessTokenSpec(
            audience=audience,
            scope=with_roles(offered, scope, projects) if targets else grant.scope,
            role_projects=projects,
            for_resources=bool(targets),
            seconds=seconds,
        )
        id_token = IdTokenSpec(scope=grant.scope)
        return ServiceUserGrant(
            grant=grant,
            client=client.client,
            access_token=access_token,
            id_token=id_token,
            user=user,
            left_out=withheld,
        )

    def _new_grant(self, user: User, client: Client, audience: tuple[str, ...], scope: tuple[str, ...]) -> Grant:
        """With an id for the record of an opaque token, without one for a JWT."""
        stateless = client.access_token_type is AccessTokenType.JWT
        now = self._dependencies.clock.now()
        return Grant(
            id="" if stateless else new_opaque(bucket_of(user.user_id), self._dependencies.random, 128),
            user_id=user.user_id,
            client_id=user.user_id,
            audience=audience,
            scope=scope,
            session_id="",
            auth_time=int(now),
            amr=(),
            acr="",
            created=now,
            origin=self.origin,
        )


class ClientCredentials(_OfServiceUser):
    """Issues a token to a service user as a client."""

    grant_type: ClassVar[str] = grant_types.CLIENT_CREDENTIALS
    methods: ClassVar[frozenset[AuthMethod]] = SECRET_METHODS
    id_token: ClassVar[IdTokenPolicy] = IdTokenPolicy.NEVER
    origin: ClassVar[Origin] = Origin.CLIENT_CREDENTIALS


class JwtBearer(_OfServiceUser):
    """Issues a token to a service user as a user."""

    grant_type: ClassVar[str] = grant_types.JWT_BEARER
    client: ClassVar[ClientIdentification] = ClientIdentification.ASSERTION
    methods: ClassVar[frozenset[AuthMethod]] = frozenset()
    id_token: ClassVar[IdTokenPolicy] = IdTokenPolicy.ALWAYS
    origin: ClassVar[Origin] = Origin.JWT_PROFILE


def requested_seconds(parameters: Mapping[str, str]) -> int | None:
    """Returns the requested lifetime in seconds; None without one."""
    text = parameters.get(EXPIRES_IN)
    if text is None:
        return None
    if not _SECONDS.match(text):
        raise INVALID_LIFETIME.error(compared=Compared("grant"))
    return int(text)


async def _apis(
    dependencies: GrantDependencies, client: AuthenticatedClient, scope: tuple[str, ...], resources: tuple[str, ...]
) -> tuple[tuple[Target, ...], tuple[Api, ...]]:
    """Those of the resources; without any, those that define a word of the scope."""
    if not resources:
        return (), await dependencies.users_client.apis_of(scope, client.client) if of_apis(scope) else ()
    targets = find_targets(resources, await dependencies.users_client.all_apis_of(client.client))
    return targets, tuple(dict.fromkeys(target.api for target in targets))


def refuse_foreign_organization(user: User, scope: tuple[str, ...]) -> None:
    """Raises TOKEN-131 for a scope that restricts the login to another organization than the user's (TK-13)."""
    if any(organization_in(word) not in (None, user.org_id) for word in scope):
        raise FOREIGN_ORGANIZATION.error(user=user.user_id, compared=compare_scope(" ".join(scope)))
