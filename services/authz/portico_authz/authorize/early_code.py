"""The code in the last page of a sign-in, which saves the request to `resume` (decision 0018)."""

from __future__ import annotations

from portico_contracts.users import User
from portico_oauth.response_types import ResponseMode, ResponseType

from portico_authz.authorize.consent import with_consent
from portico_authz.authorize.decide import Issue, decide, requirements_of
from portico_authz.checked_request import CheckedRequest
from portico_authz.codes.issue import new_code, record_of
from portico_authz.dependencies import Dependencies
from portico_authz.domain.auth_request import AuthRequest
from portico_authz.domain.code import NewCode
from portico_authz.domain.factors import allowed_factors_of
from portico_authz.domain.session import Session
from portico_authz.session.find_sessions import SignedIn
from portico_authz.session.places import demands_factor_at


async def early_code(
    deps: Dependencies, ctx: CheckedRequest, request: AuthRequest, session: Session, user: User, *, trusted: bool
) -> NewCode | None:
    """A code for the session that is about to start for the request, as `resume` would issue it; None where it must.

    `resume` also approves devices, claims pushed requests, responds in other modes, opens applications on a device, and shows who may not use a project.
    """
    if ctx.device or ctx.response_type is not ResponseType.CODE or not _fits_a_page(ctx):
        return None
    if request.answer or request.pushed:
        return None
    if ctx.client.checks_roles or ctx.client.checks_project:
        return None
    policy = await deps.users_client.login_policy(user.org_id)
    factors = {user.user_id: allowed_factors_of(user.factors, policy)}
    forced = policy.force_mfa or demands_factor_at(policy, ctx.user_agent.place)
    only = frozenset([user.user_id])
    signed_in = SignedIn([session], factors, only if forced else frozenset(), only if trusted else frozenset())
    now = deps.clock.now()
    decision = decide(
        requirements_of(ctx, request.began, signed_in, request, session_idle=deps.lifetimes.session_idle),
        signed_in.sessions,
        now,
    )
    if not isinstance(await with_consent(deps, ctx, decision, request.progress), Issue):
        return None
    return NewCode(new_code(deps, session), record_of(deps, ctx, session, now))


def _fits_a_page(ctx: CheckedRequest) -> bool:
    """Reports whether a page can lead there: browsers open private-use schemes after a redirect more readily than from
    a page.
    """
    address = ctx.verified_address
    return address.mode is ResponseMode.QUERY and address.redirect_uri.startswith(("https://", "http://"))
