from __future__ import annotations

from portico_contracts.step_names import StepName
from portico_contracts.users import GET_USER, GetUser
from portico_oauth.opaque import new_opaque

from portico_authz.authorize import run_checks_again
from portico_authz.authorize.decide import AskConsent, Interact
from portico_authz.authorize.login_requirements import allowed_factors
from portico_authz.authorize.open_request import (
    REQUEST_NOT_FOUND,
    context_of,
    decide_stored,
    find_browser_of,
    load_request,
    load_with_browser,
)
from portico_authz.checked_request import UNKNOWN_AGENT, UserAgent
from portico_authz.dependencies import Dependencies
from portico_authz.domain.auth_request import AuthRequest
from portico_authz.domain.browser import Browser
from portico_authz.domain.factors import ENROLMENT_STEPS, FACTOR_STEPS, steps_of
from portico_authz.domain.progress import Progress
from portico_authz.login.state import Login, Transition


async def open_login(deps: Dependencies, id: str, handle: str, agent: UserAgent = UNKNOWN_AGENT) -> Login:
    """Raises AUTHZ-030, AUTHZ-031, and the errors of the checks of the request."""
    request, browser = await load_with_browser(deps, id, handle)
    if browser is None:
        # Loaded again after the handle was not found: it may have been rotated since the request was read.
        return await _open_retry(deps, await load_request(deps, id), handle, agent)
    return await open_loaded(deps, request, browser, handle, agent)


async def open_loaded(
    deps: Dependencies, request: AuthRequest, browser: Browser, handle: str, agent: UserAgent = UNKNOWN_AGENT
) -> Login:
    """Raises the errors of the checks of the request."""
    was_authenticated = bool(request.progress.user_id)
    decision, request, ctx = await decide_stored(deps, context_of(deps, request, agent), request, browser)
    if isinstance(decision, Interact):
        return Login(
            request=request,
            browser=browser,
            handle=handle,
            ctx=ctx,
            step=decision.step,
            accounts=decision.accounts,
            is_completable=decision.step is StepName.DONE,
            starts_again=was_authenticated and not request.progress.user_id,
        )
    if isinstance(decision, AskConsent):
        return Login(request, browser, handle, ctx, StepName.CONSENT, consenting=decision.session)
    return Login(request, browser, handle, ctx, StepName.DONE)


async def _open_retry(deps: Dependencies, request: AuthRequest, handle: str, agent: UserAgent) -> Login:
    """Opens a login with the handle that its last authentication replaced, while the new handle is the browser's."""
    sent = request.submission
    if sent is None or not sent.is_of(handle, deps.clock.now()):
        raise REQUEST_NOT_FOUND.error(part="browser")
    rotated = sent.next_handle(handle)
    browser = await find_browser_of(deps, request, rotated)
    if browser is None:
        raise REQUEST_NOT_FOUND.error(part="browser")
    ctx = await run_checks_again(context_of(deps, request, agent))
    # A session of two factors is not restored by the password alone (LG-08).
    # A user with emailed codes may have no password.
    step = sent.step if sent.step in FACTOR_STEPS | {StepName.EMAIL_CODE} else StepName.PASSWORD
    if sent.step in ENROLMENT_STEPS:
        step = await _registered_factor(deps, request)
    return Login(request, browser, rotated, ctx, step, csrf=sent.csrf, submission=sent, is_retry=True)


async def _registered_factor(deps: Dependencies, request: AuthRequest) -> StepName:
    """Returns the step of the factor registered by an enrolment; the password alone does not restore the session."""
    user = (await deps.bus.call(GET_USER, GetUser(user_id=await owner_of(deps, request)))).user
    return next(iter(steps_of(await allowed_factors(deps, user))), StepName.PASSWORD) if user else StepName.PASSWORD


async def update_request(
    deps: Dependencies,
    login: Login,
    *,
    progress: Progress | None = None,
    signed_in: str | None = None,
    denied: bool = False,
) -> None:
    """None leaves a field as it is. Raises AUTHZ-030 when the request has expired."""
    updated = deps.stores.requests.update(login.request.id, progress=progress, signed_in=signed_in, denied=denied)
    if not await updated:
        raise REQUEST_NOT_FOUND.error(part="request")


async def save_progress(deps: Dependencies, transition: Transition) -> Transition:
    await update_request(deps, transition.login, progress=transition.login.progress)
    return transition


async def owner_of(deps: Dependencies, request: AuthRequest) -> str:
    if not request.signed_in:
        return request.progress.user_id
    session = await deps.stores.sessions.find(request.signed_in)
    return session.user_id if session else ""


def new_csrf(deps: Dependencies, browser: Browser) -> str:
    return new_opaque(browser.bucket, deps.random)
