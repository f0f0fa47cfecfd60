"""Opens the page of a directory: login name and password are entered here, and no browser leaves (decision 0050)."""

from __future__ import annotations

from portico_contracts.login import StepName
from portico_contracts.users import OfferedProvider

from portico_authz.authorize.login_requirements import org_of
from portico_authz.dependencies import Dependencies
from portico_authz.domain.auth_request import Progress
from portico_authz.domain.external import ProviderOrigin
from portico_authz.login.open_login import save_progress
from portico_authz.login.state import Login, Transition


async def open_directory(deps: Dependencies, login: Login, provider: OfferedProvider) -> Transition:
    """Requests login name and password of a directory that is offered; what was entered before is only shown.

    Raises:
        ServiceError: AUTHZ-030 when the request has expired.
    """
    org_id = await org_of(login.ctx, login.progress)
    progress = Progress(
        shown=login.progress.shown_name,
        org_id=login.progress.org_id,
        directory=ProviderOrigin(provider.id, provider.name, org_id),
    )
    return await save_progress(deps, Transition(login.at(StepName.DIRECTORY, progress)))
