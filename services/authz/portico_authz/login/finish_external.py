"""Continues a sign-in after another provider or an LDAP server has verified an identity (decision 0047)."""

from __future__ import annotations

from dataclasses import replace

from portico_contracts.login import Problem
from portico_contracts.step_names import StepName
from portico_contracts.users import ExternalFinished, ProviderRedirect, User

from portico_authz.dependencies import Dependencies
from portico_authz.domain.external import PendingIdentity, ProviderOrigin
from portico_authz.domain.progress import UNTOUCHED, Progress
from portico_authz.domain.session import short_name
from portico_authz.login.continue_login import attempt, continue_login
from portico_authz.login.open_login import save_progress
from portico_authz.login.state import Login, Transition


async def finish_external(
    deps: Dependencies, login: Login, origin: ProviderOrigin, finished: ExternalFinished, languages: tuple[str, ...]
) -> Transition:
    """Discards earlier progress."""
    if finished.onward is ProviderRedirect.SIGNED_IN:
        return await _signed_in(deps, login, finished, languages)
    return await save_progress(deps, Transition(_pending(login, origin, finished)))


async def _signed_in(
    deps: Dependencies, login: Login, finished: ExternalFinished, languages: tuple[str, ...]
) -> Transition:
    unproven, refused = login.progress.unproven, login.without_identity()
    login = replace(login, request=replace(login.request, progress=UNTOUCHED))
    user = await attempt(deps, login, _verified(finished))
    if not isinstance(user, User):
        return await save_progress(deps, Transition(refused, Problem.EXTERNAL_FAILED))
    identity = finished.identity
    progress = Progress(
        user_id=user.user_id, amr=identity.amr, external_factor=True, auth_time=identity.auth_time, unproven=unproven
    )
    return await continue_login(deps, login, progress, user, languages)


async def _verified(finished: ExternalFinished) -> User | None:
    return finished.user


def _pending(login: Login, origin: ProviderOrigin, finished: ExternalFinished) -> Login:
    steps = {
        ProviderRedirect.COMPLETE: StepName.COMPLETE_EXTERNAL,
        ProviderRedirect.NO_ACCOUNT: StepName.EXTERNAL_NO_ACCOUNT,
    }
    pending = PendingIdentity(
        identity=finished.identity,
        org_id=origin.org_id,
        provider_name=origin.provider_name,
        step=steps.get(finished.onward),
        user_id=finished.user.user_id if finished.user else "",
        may_link=finished.may_link,
        may_create=finished.may_create,
        missing=finished.missing,
    )
    if pending.step is not None:
        return login.at(pending.step, Progress(external=replace(pending, user_id="")))
    if finished.user is None:
        return login.at(StepName.LOGIN_NAME, Progress(external=pending))
    name = finished.user.login_name
    return login.at(StepName.PASSWORD, Progress(login_name=name, shown=short_name(name), external=pending))
