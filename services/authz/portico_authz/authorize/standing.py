"""How users looks at a login that is under way: policies and people, asked anew each time (P3)."""

from __future__ import annotations

from typing import Final

from portico_contracts.users import GET_USER, GetUser, LoginPolicy, User
from portico_oauth.assurance import PASSWORD

from portico_authz.authorize.decide import Standing
from portico_authz.context import Context
from portico_authz.desk import Desk
from portico_authz.domain.auth_request import Progress
from portico_authz.domain.factors import allowed_of, step_to_ask
from portico_authz.domain.session import Session
from portico_authz.steps import Proven

DAY_SECONDS: Final = 86_400


async def standing_of(desk: Desk, ctx: Context, progress: Progress) -> Standing:
    """What a login may and must do; only what its progress makes a question is asked."""
    policy = await policy_of(desk, ctx, progress) if progress.registering else LoginPolicy(may_register=False)
    user = await find_proven(desk, progress)
    return Standing(policy.may_register, await proven_of(desk, user, progress) if user else None)


def stepping_up(session: Session) -> Progress:
    """Where somebody is who has a session without a second factor: as after a password."""
    # Of a second factor that was proven before nothing is left; a passkey was the first.
    amr = (PASSWORD,) if PASSWORD in session.amr else session.amr
    return Progress(
        login_name=session.login_name,
        shown=session.shown_name,
        user_id=session.user_id,
        amr=amr,
        step_up=session.sid,
    )


async def find_proven(desk: Desk, progress: Progress) -> User | None:
    """Who proved to be the owner of an account, as users knows them now; nobody when they are not active any more."""
    if not progress.user_id:
        return None
    return (await desk.bus.call(GET_USER, GetUser(user_id=progress.user_id))).user


async def proven_of(desk: Desk, user: User, progress: Progress) -> Proven:
    """What is demanded of somebody, by their account and by the policy of their own organization."""
    policy = await desk.directory.login_policy(user.org_id)
    factors = allowed_of(user.factors, policy)
    return Proven(
        factor=None if progress.second else step_to_ask(factors, progress.factor, forced=policy.force_mfa),
        must_change_password=user.password_change_required or _is_too_old(user, policy, progress, desk.clock.now()),
        must_verify_mail=policy.verified_mail and not user.email_verified,
    )


def _is_too_old(user: User, policy: LoginPolicy, progress: Progress, now: float) -> bool:
    """The password somebody signs in with was set too long ago. Where nobody knows when, it never is."""
    if not policy.password_max_age_days or not user.password_changed or PASSWORD not in progress.amr:
        return False
    return now >= user.password_changed + policy.password_max_age_days * DAY_SECONDS


async def policy_of(desk: Desk, ctx: Context, progress: Progress) -> LoginPolicy:
    """The policy of a login: of the organization the scope, the login name or the hint names, else the instance's."""
    return await desk.directory.login_policy(ctx.org_id or progress.org_id or await _org_of_hint(ctx))


async def _org_of_hint(ctx: Context) -> str:
    user = await ctx.directory.find_user(ctx.subject) if ctx.subject else None
    return user.org_id if user else ""
