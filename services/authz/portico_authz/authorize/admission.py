"""Whether a project lets somebody in: it may ask for a role in it, or that it was granted to their organization.

Whoever may not come in is told so on a page of ours, and the application, where it asked that no page be shown.
"""

from __future__ import annotations

from portico_oauth.errors import ErrorCode, Kind

from portico_authz.context import Context
from portico_authz.desk import Desk
from portico_authz.domain.prompt import Prompt
from portico_authz.domain.session import Session

NO_ROLE = ErrorCode(
    "AUTHZ-250",
    Kind.PERMISSION_DENIED,
    "You have no role in this application.",
    "Give the user a role in the project, or switch projectRoleCheck off.",
)
NOT_GRANTED = ErrorCode(
    "AUTHZ-251",
    Kind.PERMISSION_DENIED,
    "Your organization may not use this application.",
    "Grant the project to the organization of the user, or switch hasProjectCheck off.",
)


async def require_admission(desk: Desk, ctx: Context, session: Session) -> None:
    """Returns where the project of the client lets the user in.

    Raises:
        ServiceError: AUTHZ-250, AUTHZ-251; without an address to go to, unless ``prompt=none`` was asked for.
    """
    client = ctx.client
    if not (client.checks_roles or client.checks_project):
        return
    admission = await desk.directory.admission(session.user_id, client.project_id)
    if client.checks_project and not admission.has_project:
        error_code = NOT_GRANTED
    elif client.checks_roles and not admission.has_role:
        error_code = NO_ROLE
    else:
        return
    if Prompt.NONE not in ctx.prompts:
        ctx.address = None
    raise error_code.error(user=session.user_id, project=client.project_id)
