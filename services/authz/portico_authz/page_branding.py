from __future__ import annotations

from portico_contracts.console import OWN_APPLICATIONS
from portico_contracts.login import PageBranding
from portico_contracts.users import Branding, Client, PrivateLabeling

from portico_authz.checked_request import CheckedRequest, app_org_of
from portico_authz.dependencies import Dependencies
from portico_authz.domain.progress import Progress


async def branding_of_login(deps: Dependencies, ctx: CheckedRequest, progress: Progress) -> PageBranding:
    """Raises `unavailable`."""
    return await _page_branding(deps, ctx.client, await _branded_org(deps, ctx, progress))


async def branding_of_client(deps: Dependencies, client: Client | None) -> PageBranding:
    """The branding of a page outside of a login: the application's, else the instance's."""
    return await _page_branding(deps, client, app_org_of(client) if client else "")


async def _branded_org(deps: Dependencies, ctx: CheckedRequest, progress: Progress) -> str:
    match ctx.client.private_labeling:
        case PrivateLabeling.PROJECT:
            return app_org_of(ctx.client)
        case PrivateLabeling.USER:
            # Only once the first factor is verified: before that a page must not distinguish accounts from unknown
            # names (LG-01).
            user = await deps.users_client.find_user(progress.user_id) if progress.user_id else None
            return user.org_id if user else ctx.scope.org_id or progress.org_id or app_org_of(ctx.client)
        case PrivateLabeling.UNSPECIFIED:
            return ctx.scope.org_id or app_org_of(ctx.client)


async def _page_branding(deps: Dependencies, client: Client | None, org_id: str) -> PageBranding:
    branding = (await deps.users_client.login_policy(org_id)).branding
    if branding is None and org_id:
        # The organization does not exist (any longer): use the instance's branding.
        branding = (await deps.users_client.login_policy("")).branding
    if client is None:
        return PageBranding(branding=branding or Branding())
    return PageBranding(
        client_name=client.name,
        client_logo=client.logo_uri,
        client_policy=client.policy_uri,
        client_tos=client.tos_uri,
        branding=branding or Branding(),
        client_is_own=client.project_id == OWN_APPLICATIONS,
    )
