"""After an authentication: the next requirement is requested; when none is left, the session starts (LG-08).

Every authentication rotates the browser's handle, also one that is not the last (LG-11).

With prompt=login or max_age, an external provider is asked to authenticate the user again and must state the
time (OIDC Core section 3.1.2.1). If it does not, the password or a factor of the local account is required,
or the request fails.
"""

from __future__ import annotations

from collections.abc import Awaitable
from dataclasses import replace

from portico_contracts.login import Problem
from portico_contracts.sign_in_failures import SignInFailure
from portico_contracts.step_names import StepName
from portico_contracts.users import LINK_EXTERNAL, LinkExternal, PlaceAction, User
from portico_oauth.clock_leeway import CLOCK_LEEWAY
from portico_oauth.errors import Kind, ServiceError
from portico_oauth.opaque import bucket_of

from portico_authz.authorize.decide import ASKED_AGAIN
from portico_authz.authorize.early_code import early_code
from portico_authz.authorize.login_requirements import (
    assess_user,
    find_authenticated,
    is_outdated,
    without_proof,
)
from portico_authz.dependencies import Dependencies
from portico_authz.domain.external import PendingIdentity
from portico_authz.domain.factors import has_usable_password
from portico_authz.domain.progress import Progress
from portico_authz.domain.prompt import demanded_since
from portico_authz.domain.session import short_name
from portico_authz.domain.submission import new_submission
from portico_authz.login.login_step import failure_of, prepare_step
from portico_authz.login.open_login import new_csrf, save_progress
from portico_authz.login.state import Login, Transition
from portico_authz.login.verifiers import Attempted
from portico_authz.session.places import PLACE_REFUSED, judge_place
from portico_authz.session.sign_in import Started, new_session, start_session, step_up_session
from portico_authz.session.trusted_devices import begin_trust
from portico_authz.steps import LoginState, next_step


def is_recent_enough(login: Login, progress: Progress) -> bool:
    since = demanded_since(login.ctx.prompts, login.ctx.max_age, login.request.began)
    if since is None or not progress.external_factor:
        return True
    if progress.auth_time:  # by the provider's clock, in whole seconds
        return progress.auth_time > since - CLOCK_LEEWAY
    return progress.second


async def ask_again(deps: Dependencies, login: Login, progress: Progress, user: User) -> Transition:
    """Succeeds once per request: a provider that does not state the time would not the second time either."""
    deps.publisher.login_failed(login.origin, user.user_id, failure=SignInFailure.NOT_RECENT)
    unproven = progress.unproven + 1
    has_password = has_usable_password(user, await deps.users_client.login_policy(user.org_id))
    if not progress.auth_time and not has_password:
        unproven = ASKED_AGAIN + 1
    step, left = StepName.LOGIN_NAME, Progress(unproven=unproven, org_id=user.org_id)
    if has_password:
        step, left = StepName.PASSWORD, replace(left, login_name=user.login_name, shown=short_name(user.login_name))
    if unproven > ASKED_AGAIN:
        step = StepName.DONE
    return await save_progress(deps, Transition(login.at(step, left), Problem.EXTERNAL_TOO_OLD))


async def continue_login(
    deps: Dependencies, login: Login, progress: Progress, user: User, languages: tuple[str, ...]
) -> Transition:
    """Raises AUTHZ-030, AUTHZ-281, UNAVAILABLE."""
    if is_outdated(progress, user):
        return await _start_again(deps, login, progress, user)
    await _require_place(deps, login, progress, user)
    # A session that remains after a change of credentials is still the first factor of a step-up.
    if progress.epoch is None and not progress.step_up:
        progress = replace(progress, epoch=user.trust_epoch)
    # If the authentication must be repeated, this name is used.
    if not progress.login_name:
        progress = replace(progress, login_name=user.login_name, shown=short_name(user.login_name))
    assessed = await assess_user(deps, login.ctx, login.browser, user, progress)
    step = next_step(LoginState(user=assessed))
    if step is StepName.DONE:
        return await _sign_in(deps, login, progress, user, trusted=assessed.trusted)
    prepared = await prepare_step(deps, login.at(step, progress), languages)
    rotation = login.rotation(login.browser, prepared.login.progress)
    return replace(prepared, rotation=rotation, user_id=user.user_id)


async def _require_place(deps: Dependencies, login: Login, progress: Progress, user: User) -> None:
    """Raises AUTHZ-281 after an authentication in a place that the user's organization refuses; nothing is stored."""
    policy = await deps.users_client.login_policy(user.org_id)
    is_first = progress.epoch is None and not progress.step_up
    verdict = await judge_place(deps, policy, login.ctx.user_agent.place, user.user_id, is_sign_in=is_first)
    if verdict.action is PlaceAction.REFUSE:
        deps.publisher.login_failed(login.origin, user.user_id, failure=SignInFailure.PLACE, rule=verdict.rule)
        raise PLACE_REFUSED.error(user=user.user_id, rule=verdict.rule)


async def _start_again(deps: Dependencies, login: Login, progress: Progress, user: User) -> Transition:
    left = await without_proof(deps, progress, user)
    step = StepName.PASSWORD if left.login_name else StepName.LOGIN_NAME
    return await save_progress(deps, Transition(login.at(step, left), Problem.CREDENTIALS_CHANGED))


async def complete_login(deps: Dependencies, login: Login) -> Transition:
    user = await find_authenticated(deps, login.progress) if login.is_completable else None
    if user is None:  # the next call decides again, with what has changed meanwhile
        return Transition(login)
    now, csrf = deps.clock.now(), new_csrf(deps, login.browser)
    login = replace(login, submission=new_submission(StepName.DONE, csrf, login.handle, deps.random, now))
    return await continue_login(deps, login, login.progress, user, ())


async def attempt(
    deps: Dependencies, login: Login, verified: Awaitable[User | Attempted | None]
) -> User | Transition | None:
    """Runs one authentication attempt: returns the user, None for wrong credentials, or the step with a delay."""
    try:
        user = await verified
    except ServiceError as error:
        if error.kind is not Kind.TOO_MANY_REQUESTS:
            raise
        slowed = SignInFailure.TOO_MANY_ATTEMPTS
        deps.publisher.login_failed(login.origin, login.progress.user_id, failure=slowed)
        return Transition(login, Problem.SLOW_DOWN, error.retry_after or 1)
    # Only end users of the requested organization may sign in; an identity is linked only to the offered account.
    only = login.progress.external.user_id if login.progress.external else ""
    if (
        isinstance(user, User)
        and user.human
        and login.ctx.scope.org_id in ("", user.org_id)
        and only in ("", user.user_id)
    ):
        return user
    attempted = user.user_id if isinstance(user, Attempted) else login.progress.user_id
    failure = failure_of(login.step, user, login.ctx.scope.org_id)
    deps.publisher.login_failed(login.origin, attempted, failure=failure)
    return None


async def _link(deps: Dependencies, login: Login, pending: PendingIdentity, user: User) -> User | str:
    """Links the identity of this request (idempotent); returns the user with the link, or the error id of a failure."""
    question = LinkExternal(
        identity=pending.identity,
        org_id=pending.org_id,
        user_id=user.user_id,
        any_organization=login.any_organization,
    )
    try:
        return (await deps.bus.call(LINK_EXTERNAL, question)).user
    except ServiceError as error:
        if error.kind is Kind.UNAVAILABLE:
            raise
        return error.id


async def _sign_in(deps: Dependencies, login: Login, progress: Progress, user: User, *, trusted: bool) -> Transition:
    if not progress.step_up and not is_recent_enough(login, progress):
        return await ask_again(deps, login, progress, user)
    # The authentication is used up; should the session end before the response, it is requested again.
    left = progress.only_name()
    if progress.external:
        linked = await _link(deps, login, progress.external, user)
        if isinstance(linked, str):
            refused = Transition(login.without_identity(), Problem.EXTERNAL_FAILED, detail=linked)
            return await save_progress(deps, refused)
        # The link has changed the epoch; the trust of this sign-in outlasts its own change.
        progress = replace(progress, trust=progress.trust_at(linked.trust_epoch))
    if progress.step_up:
        session = await step_up_session(deps, login.browser, user, progress)
        if session is None:  # it ended concurrently, and the password is requested
            return await save_progress(deps, Transition(login.at(StepName.PASSWORD, left)))
        started = Started(session)
    else:
        sid = login.accepted.next_sid(bucket_of(user.user_id), login.handle)
        began = login.request.began
        session = await new_session(deps, login.browser, user, progress, sid, login.origin, began=began)
        answered = replace(login.request, progress=left, signed_in=session.sid)
        ctx = login.ctx
        code = await early_code(deps, ctx, answered, session, user, trusted=trusted) if login.to_application else None
        started = await start_session(deps, login.browser, session, code)
    session, browser = started.session, login.browser.with_session(started.session.sid)
    own = progress.own_page
    if own and not await deps.stores.login_sessions.add_sid(own.login_session, session.sid):
        # The login client ended it meanwhile. Without the new handle no browser has the session.
        return await save_progress(deps, Transition(login.at(StepName.PASSWORD, left)))
    if progress.trust:
        browser = await begin_trust(deps, browser, user, progress, login.origin)
    return Transition(
        replace(login, step=StepName.DONE),
        rotation=login.rotation(browser, left, session.sid, started.code),
        user_id=user.user_id,
        starts_session=started.is_new,
        methods=session.amr,
        trusted=trusted,
        code=started.code,
    )
