"""Project access: a project may require a role in it, or a grant to the user's organization (decision 0016)."""

from __future__ import annotations

from portico_contracts.users import Client
from portico_oauth.errors import ErrorCode, Kind

from portico_authz.dependencies import Dependencies

NO_ROLE = ErrorCode(
    "AUTHZ-250",
    Kind.PERMISSION_DENIED,
    "You have no role in this application.",
    "Grant the user a role in the project, or turn off projectRoleCheck.",
)
NOT_GRANTED = ErrorCode(
    "AUTHZ-251",
    Kind.PERMISSION_DENIED,
    "Your organization may not use this application.",
    "Grant the project to the user's organization, or turn off hasProjectCheck.",
)


async def find_missing_access(
    deps: Dependencies, client: Client, user_id: str, version: str | None
) -> ErrorCode | None:
    """Returns why a user may not use the application. `version` is the user's, as read with a session or a code."""
    if not (client.checks_roles or client.checks_project):
        return None
    access = await deps.users_client.project_access(user_id, client.project_id, version)
    if client.checks_project and not access.has_project:
        return NOT_GRANTED
    return NO_ROLE if client.checks_roles and not access.has_role else None
