"""One login under way: the kept request, its browser, and the step that is open."""

from __future__ import annotations

from dataclasses import dataclass, replace

from portico_contracts.http import AUTHORIZE_RESUME
from portico_contracts.login import Problem, Step, StepName
from portico_contracts.users import Factor, PasswordRules
from portico_oauth.opaque import new_opaque

from portico_authz.authorize import Endpoint, run_checks
from portico_authz.authorize.decide import Choice, Interact
from portico_authz.authorize.open_request import (
    REQUEST_GONE,
    context_of,
    decide_again,
    find_own_browser,
    load_request,
    load_with_browser,
)
from portico_authz.authorize.standing import policy_of
from portico_authz.context import Context
from portico_authz.desk import Desk
from portico_authz.domain.auth_request import AuthRequest, Progress
from portico_authz.domain.browser import Browser
from portico_authz.domain.factors import PROOFS, SECOND_FACTORS, is_allowed, steps_of
from portico_authz.domain.renewal import Renewal
from portico_authz.domain.submission import Submission
from portico_authz.session.accounts import account_of
from portico_authz.session.allowed_factors import allowed_factors


@dataclass(frozen=True, slots=True)
class Login:
    """One login under way.

    Attributes:
        handle: the browser's, as it came with the question; of a repeated one the handle that replaced it.
        asked: the step that is open; `StepName.DONE` when nothing is.
        accounts: what there is to choose from.
        to_finish: everything is answered, but the session did not begin yet.
        csrf: what the next form gets; empty before one is shown.
        submission: the form that is answered; None where nothing was sent.
        is_repeated: the handle that came was replaced a moment ago, by an answer this browser may not have got. All
            that can be done is to prove the same again: by the password, or by the second factor it was proven with.
    """

    request: AuthRequest
    browser: Browser
    handle: str
    ctx: Context
    asked: StepName
    accounts: tuple[Choice, ...] = ()
    to_finish: bool = False
    csrf: str = ""
    submission: Submission | None = None
    is_repeated: bool = False

    @property
    def sent(self) -> Submission:
        """The form that is answered, where one was sent."""
        if self.submission is None:
            raise LookupError("nothing was sent")
        return self.submission

    @property
    def progress(self) -> Progress:
        """What was answered so far."""
        return self.request.progress

    def renewal(self, browser: Browser, progress: Progress, signed_in: str = "") -> Renewal:
        """The browser's next handle, with what it was earned with."""
        return Renewal(
            old=self.handle,
            new=self.sent.next_handle(self.handle),
            browser=browser,
            request_id=self.request.id,
            progress=progress,
            submission=self.sent,
            signed_in=signed_in,
        )

    def at(self, step: StepName, progress: Progress) -> Login:
        """The login after an answer."""
        return replace(self, asked=step, request=replace(self.request, progress=progress))


async def open_login(desk: Desk, id: str, handle: str) -> Login:
    """Opens a login for the browser it began in.

    Raises:
        ServiceError: AUTHZ-030, AUTHZ-031, and what a check of the request says.
    """
    request, browser = await load_with_browser(desk, id, handle)
    if browser is None:
        # As it is after the handle changed: it may have changed since the request was read.
        return await _open_repeated(desk, await load_request(desk, id), handle)
    ctx = context_of(desk, request)
    decision, request = await decide_again(desk, ctx, request, browser)
    if isinstance(decision, Interact):
        to_finish = decision.step is StepName.DONE
        return Login(request, browser, handle, ctx, decision.step, decision.accounts, to_finish)
    return Login(request, browser, handle, ctx, StepName.DONE)


async def _open_repeated(desk: Desk, request: AuthRequest, handle: str) -> Login:
    """Opens a login with the handle its last proof replaced, as long as what replaced it is the browser's."""
    sent = request.submission
    if sent is None or not sent.is_of(handle, desk.clock.now()):
        raise REQUEST_GONE.error(part="browser")
    renewed = sent.next_handle(handle)
    browser = await find_own_browser(desk, request, renewed)
    if browser is None:
        raise REQUEST_GONE.error(part="browser")
    ctx = context_of(desk, request)
    await run_checks(ctx, Endpoint.RESUME)
    # What two factors earned is not given again for the one (LG-08).
    asked = sent.step if sent.step in PROOFS else StepName.PASSWORD
    return Login(request, browser, renewed, ctx, asked, csrf=sent.csrf, submission=sent, is_repeated=True)


async def show(
    desk: Desk, login: Login, problem: Problem = Problem.NONE, *, retry_after: int = 0, detail: str = ""
) -> Step:
    """The open step, to be rendered."""
    choosing = login.accounts if login.asked is StepName.SELECT_ACCOUNT else ()
    accounts = [
        await account_of(desk, login.browser, choice.session, usable=choice.usable or choice.lacks_factor)
        for choice in choosing
    ]
    naming = login.asked in (StepName.LOGIN_NAME, StepName.REGISTER)
    challenge = login.progress.asked if login.progress.asked and login.progress.asked.step is login.asked else None
    return Step(
        name=login.asked,
        csrf=login.csrf,
        client_name=login.ctx.client.name,
        return_uri=login.ctx.proven.redirect_uri,
        login_name=login.progress.shown_name or login.request.prefill,
        problem=problem,
        retry_after=retry_after,
        ui_locales=login.ctx.ui_locales,
        accounts=tuple(accounts),
        may_reset=login.asked is StepName.PASSWORD and (await policy_of(desk, login.ctx, login.progress)).may_reset,
        may_register=naming and (await policy_of(desk, login.ctx, login.progress)).may_register,
        mail=login.progress.mail if login.asked is StepName.VERIFY_EMAIL else challenge.mail if challenge else "",
        detail=detail,
        may_use_passkey=login.asked in (StepName.LOGIN_NAME, StepName.PASSWORD) and await may_use_passkey(desk, login),
        options=challenge.options if challenge else "",
        others=await _other_factors(desk, login),
        password_rules=await _password_rules(desk, login),
    )


async def may_use_passkey(desk: Desk, login: Login) -> bool:
    """A passkey will do as well, as far as can be told before anybody is known."""
    return not login.is_repeated and is_allowed(Factor.PASSKEY, await policy_of(desk, login.ctx, login.progress))


async def _password_rules(desk: Desk, login: Login) -> PasswordRules | None:
    """Of the organization somebody is of, or joins; None where no password is set."""
    if login.asked is StepName.REGISTER:
        return (await desk.directory.login_policy(login.ctx.org_id)).password_rules
    if login.asked is not StepName.CHANGE_PASSWORD:
        return None
    user = await desk.directory.find_user(login.progress.user_id)
    return (await desk.directory.login_policy(user.org_id)).password_rules if user else None


async def _other_factors(desk: Desk, login: Login) -> tuple[StepName, ...]:
    """What else can be proven instead of the second factor that is asked for."""
    if login.asked not in SECOND_FACTORS or login.is_repeated:
        return ()
    user = await desk.directory.find_user(login.progress.user_id)
    factors = await allowed_factors(desk, user) if user else ()
    return tuple(step for step in steps_of(factors) if step is not login.asked)


async def keep(
    desk: Desk,
    login: Login,
    *,
    progress: Progress | None = None,
    signed_in: str | None = None,
    denied: bool = False,
) -> None:
    """Changes what is kept of the login.

    Raises:
        ServiceError: AUTHZ-030 when it is gone.
    """
    changed = await desk.stores.requests.change(login.request.id, progress=progress, signed_in=signed_in, denied=denied)
    if not changed:
        raise REQUEST_GONE.error(part="request")


def done(id: str, set_cookie: str = "") -> Step:
    """Nothing is left to ask: on to the answer for the application."""
    return Step(name=StepName.DONE, continue_to=f"{AUTHORIZE_RESUME}?request={id}", set_cookie=set_cookie)


def new_csrf(desk: Desk, browser: Browser) -> str:
    """A CSRF value for a form of this browser."""
    return new_opaque(browser.bucket, desk.random)
