"""Login policies and users of a login in progress, loaded for each decision (P3)."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

from portico_contracts.step_names import StepName
from portico_contracts.users import GET_USER, EnrolmentDemand, Factor, GetUser, LoginPolicy, User
from portico_oauth.assurance import ACR_PHRH, ONE_TIME_CODE, PASSWORD

from portico_authz.checked_request import CheckedRequest, app_org_of
from portico_authz.dependencies import Dependencies
from portico_authz.domain.browser import Browser
from portico_authz.domain.factors import (
    ENROLMENT_STEPS,
    SECOND_FACTORS,
    allowed_factors_of,
    enrolment_step,
    factor_step,
    has_usable_password,
    may_enrol,
    may_skip_passkey,
    registers_passkey,
    steps_of,
)
from portico_authz.domain.progress import UNTOUCHED, ChosenFactor, Progress, Registering
from portico_authz.domain.session import Session
from portico_authz.session.places import demands_factor_at
from portico_authz.session.trusted_devices import is_trusted
from portico_authz.steps import Assessed, AuthenticatedUser


async def allowed_factors(deps: Dependencies, user: User, progress: Progress = UNTOUCHED) -> tuple[Factor, ...]:
    """Returns the factors that count besides the first factor in ``progress``."""
    if not user.factors:
        return ()
    policy = await deps.users_client.login_policy(user.org_id)
    return allowed_factors_of(user.factors, policy, emailed=progress.emailed)


class LoginRequirements(NamedTuple):
    """`progress` is what counts of the stored one."""

    may_register: bool
    user: AuthenticatedUser | None
    progress: Progress


async def load_login_requirements(
    deps: Dependencies, ctx: CheckedRequest, browser: Browser, progress: Progress
) -> LoginRequirements:
    """Returns whether a login may register, and what its user must do; calls users only for what its progress depends
    on.
    """
    policy = (
        await policy_of(deps, ctx, progress)
        if isinstance(progress.under_way, Registering)
        else LoginPolicy(may_register=False)
    )
    user = await find_authenticated(deps, progress)
    if user and is_outdated(progress, user):
        return LoginRequirements(policy.may_register, None, await without_proof(deps, progress, user))
    assessed = await assess_user(deps, ctx, browser, user, progress) if user else None
    needed = None if assessed and assessed.needs_password else assessed
    return LoginRequirements(policy.may_register, needed, progress)


def is_outdated(progress: Progress, user: User) -> bool:
    """Reports whether the credentials or the state of the user were changed after the first factor was verified."""
    return progress.epoch not in (None, user.trust_epoch)


async def without_proof(deps: Dependencies, progress: Progress, user: User) -> Progress:
    """Returns the progress of a sign-in that starts again; a user without a password gets the first page."""
    if not has_usable_password(user, await deps.users_client.login_policy(user.org_id)):
        return Progress(other=True, org_id=user.org_id)  # an untouched one could continue with another session
    return replace(progress.only_name(), org_id=user.org_id)


def step_up_progress(session: Session) -> Progress:
    """Returns the progress of a session without a second factor, as after a password."""
    # An earlier second factor does not count; the first factor was a password, a passkey or an external identity.
    amr = (PASSWORD,) if PASSWORD in session.amr else () if session.external_factor else session.amr
    if session.emailed:
        amr = (ONE_TIME_CODE,)
    return Progress(
        login_name=session.login_name,
        org_id=session.org_id,
        shown=session.shown_name,
        user_id=session.user_id,
        amr=amr,
        step_up=session.sid,
        device_bound=amr == session.amr and session.acr == ACR_PHRH,
        external_factor=session.external_factor,
        emailed=session.emailed,
    )


async def find_authenticated(deps: Dependencies, progress: Progress) -> User | None:
    if not progress.user_id:
        return None
    return (await deps.bus.call(GET_USER, GetUser(user_id=progress.user_id))).user


async def assess_user(
    deps: Dependencies, ctx: CheckedRequest, browser: Browser, user: User, progress: Progress
) -> AuthenticatedUser:
    policy = await deps.users_client.login_policy(user.org_id)
    demanded = demands_factor_at(policy, ctx.user_agent.place)
    forced = policy.force_mfa or ctx.demands_factor or demanded
    factor = _open_factor(user, policy, progress, forced=forced)
    trusted = factor in SECOND_FACTORS and ctx.accepts_trust and not demanded
    trusted = trusted and await is_trusted(deps, browser, user, policy)
    if trusted:
        factor = None
    return _requirements(deps, user, policy, progress, factor, trusted=trusted)


async def is_satisfied(deps: Dependencies, user: User, progress: Progress) -> bool:
    """Whether a sign-in without an authorization request is complete; no browser is trusted for it.

    Nor is its place known: where rules depend on it, the user signs in on the pages.
    """
    policy = await deps.users_client.login_policy(user.org_id)
    if policy.sign_in_from is not None:
        return False
    factor = _open_factor(user, policy, progress, forced=policy.force_mfa)
    needed = _requirements(deps, user, policy, progress, factor)
    return needed.factor is None and needed.required is None


def _requirements(
    deps: Dependencies,
    user: User,
    policy: LoginPolicy,
    progress: Progress,
    factor: StepName | None,
    *,
    trusted: bool = False,
) -> AuthenticatedUser:
    # A stolen cookie must not be enough to enrol a factor (decision 0046).
    by_session_alone = bool(progress.step_up) and policy.enrolment is EnrolmentDemand.PASSWORD
    return AuthenticatedUser(
        factor=factor,
        needs_password=factor in ENROLMENT_STEPS and by_session_alone,
        required=None if factor else _required(deps, Assessed(user, policy, progress, deps.clock.now())),
        trusted=trusted,
    )


def _open_factor(user: User, policy: LoginPolicy, progress: Progress, *, forced: bool) -> StepName | None:
    if progress.second:
        return None
    of_registration = _passkey_of_registration(user, policy) if progress.registered else None
    return of_registration or _factor_step(user, policy, progress, forced=forced)


def _passkey_of_registration(user: User, policy: LoginPolicy) -> StepName | None:
    if registers_passkey(user, policy):
        return StepName.ENROL_PASSKEY
    # The policy may have changed since: then the account has no first factor.
    has_first = may_skip_passkey(policy) or policy.password_sign_in or Factor.PASSKEY in user.factors
    return None if has_first else StepName.FACTOR_MISSING


def _factor_step(user: User, policy: LoginPolicy, progress: Progress, *, forced: bool) -> StepName | None:
    factors = allowed_factors_of(user.factors, policy, emailed=progress.emailed)
    only_mailbox = progress.emailed and Factor.OTP_EMAIL in allowed_factors_of(user.factors, policy)
    only_mailbox = only_mailbox and not steps_of(factors)
    if only_mailbox and policy.password_sign_in:
        # The mailbox is proven already, so that only the password can be the second factor.
        return StepName.PASSWORD if user.has_password else StepName.FACTOR_MISSING
    chosen = progress.under_way.step if isinstance(progress.under_way, ChosenFactor) else None
    # Where passwords are not allowed, another factor has to be enrolled instead.
    step = factor_step(factors, chosen, forced=forced or only_mailbox)
    if step is not StepName.FACTOR_MISSING:
        return step
    if not may_enrol(policy, email_verified=user.email_verified, emailed=progress.emailed):
        return step
    if progress.emailed and has_usable_password(user, policy) and PASSWORD not in progress.amr:
        return StepName.PASSWORD  # a mailbox alone must not enrol a factor
    return enrolment_step(policy, progress.enrolment)


def _required(deps: Dependencies, assessed: Assessed) -> StepName | None:
    for step, requirement in deps.requirements:
        if requirement.is_open(assessed):
            return step
    return None


async def policy_of(deps: Dependencies, ctx: CheckedRequest, progress: Progress) -> LoginPolicy:
    return await deps.users_client.login_policy(await org_of(ctx, progress))


async def org_of(ctx: CheckedRequest, progress: Progress) -> str:
    """The organization whose rules apply until the user is known; empty for the instance."""
    return ctx.scope.org_id or progress.org_id or await _org_of_hint(ctx) or app_org_of(ctx.client)


def joined_org_of(ctx: CheckedRequest) -> str:
    """The organization of a new account. Neither a hint nor the domain of a login name selects it."""
    return ctx.scope.org_id or app_org_of(ctx.client)


async def _org_of_hint(ctx: CheckedRequest) -> str:
    user = await ctx.sources.users_client.find_user(ctx.subject) if ctx.subject else None
    return user.org_id if user else ""
