"""The claims about the user in tokens, loaded only where a token contains them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from portico_contracts.users import AccessTokenType, Client, UserClaims
from portico_oauth.errors import Compared, ErrorCode, Kind, ServiceError
from portico_oauth.scopes import PROJECT_ROLES, asks_for

from portico_token.cached_users import CachedUsers
from portico_token.domain.claims import requests_reserved_claims
from portico_token.domain.roles import RolesByProject, projects_of, role_claims, roles_list
from portico_token.grants.results import GrantResult, ServiceUserGrant
from portico_token.issuing.private_claims import PrivateClaims

_Claims = dict[str, Any]

USER_INACTIVE = ErrorCode(
    "TOKEN-040", Kind.INVALID_GRANT, "The user of this grant is not active.", "Activate the user."
)


def user_inactive(granted: GrantResult) -> ServiceError:
    """The error for a user who is not, or no longer, active."""
    return USER_INACTIVE.error(grant=granted.grant.id, compared=Compared("user"))


@dataclass(frozen=True, slots=True)
class Subject:
    """An active user, with claims only where a token contains them."""

    person: UserClaims
    in_access_token: dict[str, Any] = field(default_factory=dict)
    """Private claims, groups and roles; so in the id_token."""
    in_id_token: dict[str, Any] = field(default_factory=dict)


class Subjects:
    def __init__(self, users: CachedUsers, private_claims: PrivateClaims) -> None:
        self._users = users
        self._private_claims = private_claims

    async def load(self, granted: GrantResult, *, access_token: bool, id_token: bool) -> Subject:
        client, scope, spec = granted.client, granted.id_token.scope, granted.access_token
        jwt = access_token and client.access_token_type is AccessTokenType.JWT
        person = await self._load_user(granted, with_claims=(jwt and requests_reserved_claims(spec.scope)) or (
            id_token and id_token_has_claims(granted, alone=not access_token or spec.for_resources)
        ) or client.claim_rules != ())  # fmt: skip
        if person.user is None:
            raise user_inactive(granted)
        with_roles = jwt and (asks_for(spec.scope, PROJECT_ROLES) or client.access_token_roles)
        id_token_with_roles = id_token and (asks_for(scope, PROJECT_ROLES) or client.id_token_roles)
        has_list = client.roles_claim and (jwt or id_token)
        groups = {}
        if client.groups_claim and (jwt or id_token):
            groups = {client.groups_claim: await self._users.groups_of(person.user, client, granted.version)}
        in_access_token = groups if client.project_id in spec.role_projects else {}
        in_id_token = groups
        if client.claim_rules or client.token_hook is not None:
            in_access_token, in_id_token = await self._with_private_claims(
                granted, person, (in_access_token, in_id_token), jwt=jwt, id_token=id_token
            )
        if not with_roles and not id_token_with_roles and not has_list:
            return Subject(person, in_access_token, in_id_token)
        projects = projects_of(client.project_id, scope)
        found = await self._users.roles_of(granted.grant.user_id, projects, granted.version)
        permitted = tuple(project for project in projects if project in spec.role_projects)
        return Subject(
            person,
            in_access_token | _roles(client, found, permitted, with_role_claims=with_roles),
            in_id_token | _roles(client, found, projects, with_role_claims=id_token_with_roles),
        )

    async def _with_private_claims(
        self, granted: GrantResult, person: UserClaims, groups: tuple[_Claims, _Claims], *, jwt: bool, id_token: bool
    ) -> tuple[_Claims, _Claims]:
        """Adds those of the client; in an access token only where it is for its project, as groups are."""
        in_project = jwt and granted.client.project_id in granted.access_token.role_projects
        found = await self._private_claims.in_tokens(granted, person, access_token=in_project, id_token=id_token)
        return found[0] | groups[0], found[1] | groups[1]

    async def _load_user(self, granted: GrantResult, *, with_claims: bool) -> UserClaims:
        if with_claims:
            return await self._users.claims_of(granted.grant.user_id, granted.version)
        if isinstance(granted, ServiceUserGrant):
            return UserClaims(user=granted.user)
        return UserClaims(user=await self._users.find_user(granted.grant.user_id, granted.version))


def id_token_has_claims(granted: GrantResult, *, alone: bool) -> bool:
    return alone or granted.client.id_token_userinfo_assertion or bool(granted.grant.id_token_claims)


def _roles(
    client: Client, found: RolesByProject, projects: tuple[str, ...], *, with_role_claims: bool
) -> dict[str, Any]:
    roles = {project: found[project] for project in projects if project in found}
    claims = role_claims(roles, projects, client.project_id) if with_role_claims else {}
    return roles_list(client, roles, projects) | claims
