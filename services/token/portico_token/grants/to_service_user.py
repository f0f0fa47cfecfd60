"""The grant of a service user: to itself, without a session, for the audience its scope names."""

from __future__ import annotations

from portico_contracts.users import AccessTokenType, User
from portico_oauth.errors import Compared, ErrorCode, Kind
from portico_oauth.grant_types import CLIENT_CREDENTIALS
from portico_oauth.opaque import bucket_of, new_opaque
from portico_oauth.scopes import organization_in, reserved_in

from portico_token.domain.audience import audience_of_service_user, without_other_projects
from portico_token.domain.clients import AuthenticatedClient
from portico_token.domain.grants import Grant
from portico_token.domain.origin import Origin
from portico_token.grants.from_sign_in import without_offline_access
from portico_token.grants.permitted_scope import compare_scope
from portico_token.grants.protocol import GrantDependencies, GrantResult

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


async def grant_to_service_user(
    dependencies: GrantDependencies, client: AuthenticatedClient, scope: tuple[str, ...], origin: Origin
) -> GrantResult:
    """The grant of a service user: with a record for an opaque token, without one for a JWT.

    Raises:
        ServiceError: TOKEN-130 to TOKEN-132, `unavailable` when users cannot be reached.
    """
    user = client.user
    if user is None:
        compared = Compared("grant_type_allowed", CLIENT_CREDENTIALS, client.client.grant_types)
        raise NOT_A_SERVICE_USER.error(client=client.client.client_id, compared=compared)
    reserved = reserved_in(scope)
    refuse_foreign_organization(user, scope)
    audiences = await dependencies.directory.audiences_of(reserved, client.client)
    if without_other_projects(reserved, audiences) != reserved:
        raise UNKNOWN_PROJECT.error(user=user.user_id, compared=compare_scope(" ".join(scope)))
    stateless = client.client.access_token_type is AccessTokenType.JWT
    now = dependencies.clock.now()
    grant = Grant(
        id="" if stateless else new_opaque(bucket_of(user.user_id), dependencies.random, 128),
        user_id=user.user_id,
        client_id=user.user_id,
        audience=audience_of_service_user(user, reserved, audiences),
        scope=without_offline_access(scope),
        session_id="",
        auth_time=int(now),
        amr=(),
        acr="",
        created=now,
        origin=origin,
    )
    return GrantResult(grant, user=user)


def refuse_foreign_organization(user: User, scope: tuple[str, ...]) -> None:
    """Raises TOKEN-131 for a scope that would restrict the login to an organization the user is not of (TK-13)."""
    if any(organization_in(word) not in (None, user.org_id) for word in scope):
        raise FOREIGN_ORGANIZATION.error(user=user.user_id, compared=compare_scope(" ".join(scope)))
