"""Project access: a project may require a role in it, or a grant to the user's organization."""

from __future__ import annotations

from portico_contracts.users import Client
from portico_oauth.errors import Compared, ErrorCode, Kind

from portico_authz.context import Context
from portico_authz.dependencies import Dependencies
from portico_authz.domain.prompt import Prompt
from portico_authz.domain.session import Session

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


async def require_project_access(deps: Dependencies, ctx: Context, session: Session) -> None:
    """A denied end user gets an error page; with ``prompt=none`` the application gets the error."""
    client = ctx.client
    if not (client.checks_roles or client.checks_project):
        return
    access = await deps.users_client.project_access(session.user_id, client.project_id, session.version)
    if client.checks_project and not access.has_project:
        error_code = NOT_GRANTED
    elif client.checks_roles and not access.has_role:
        error_code = NO_ROLE
    else:
        return
    if Prompt.NONE not in ctx.prompts:
        ctx.address = None
    raise error_code.error(
        user=session.user_id, user_org=session.org_id, project=client.project_id, compared=_compare(client)
    )


def _compare(client: Client) -> Compared:
    wanted = []
    if client.checks_roles:
        wanted.append("a role in the project")
    if client.checks_project:
        wanted.append("a grant of the project to the organization of the user")
    return Compared("project_access", wanted=tuple(wanted))
