from __future__ import annotations

from portico_oauth.errors import ErrorCode, Kind

from portico_authz.authorize.project_access import require_project_access
from portico_authz.checked_request import CheckedRequest
from portico_authz.dependencies import Dependencies
from portico_authz.domain.session import Session

FORBIDDEN_BY_ORGANIZATION = ErrorCode(
    "AUTHZ-266",
    Kind.PERMISSION_DENIED,
    "Your organization does not allow signing in on devices.",
    "Allow it with allowDeviceAuthorization in the login policy of the user's organization.",
)


async def require_device_access(deps: Dependencies, ctx: CheckedRequest, session: Session) -> None:
    """Also checks the organization of the user; that of the application is checked with the request."""
    await require_project_access(deps, ctx, session)
    policy = await deps.users_client.login_policy(session.org_id)
    if not policy.device_authorization:
        raise FORBIDDEN_BY_ORGANIZATION.error(user=session.user_id, user_org=session.org_id)
