"""Refuses users without access to the project of the application (decision 0016)."""

from __future__ import annotations

from portico_contracts.users import Client
from portico_oauth.errors import Compared

from portico_authz.checked_request import CheckedRequest
from portico_authz.codes.missing_access import find_missing_access
from portico_authz.dependencies import Dependencies
from portico_authz.domain.prompt import Prompt
from portico_authz.domain.session import Session


async def require_project_access(deps: Dependencies, ctx: CheckedRequest, session: Session) -> None:
    """Raises AUTHZ-250, 251. A denied end user gets an error page; with ``prompt=none`` the application gets the error."""
    client = ctx.client
    error_code = await find_missing_access(deps, client, session.user_id, session.version)
    if error_code is None:
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
