"""What a login session must have proven to finish an authorization request: when it is finished and in the browser."""

from __future__ import annotations

from portico_contracts.users import GET_USER, GetUser, LoginPolicy, User
from portico_oauth.clock_leeway import is_issued_ahead
from portico_oauth.errors import ErrorCode, Kind

from portico_authz.authorize import run_checks_again
from portico_authz.authorize.open_request import REQUEST_NOT_FOUND, context_of
from portico_authz.checked_request import UNKNOWN_AGENT, CheckedRequest, UserAgent
from portico_authz.dependencies import Dependencies
from portico_authz.domain.auth_request import AuthRequest
from portico_authz.domain.login_session import LoginSession, first_factor_of, progress_of
from portico_authz.domain.progress import Progress
from portico_authz.domain.prompt import demanded_since

FIRST_FACTOR_MISSING = ErrorCode(
    "AUTHZ-214",
    Kind.FAILED_PRECONDITION,
    "The login session has no verified password or passkey.",
    "Verify the password, or a passkey with user verification, first.",
)
TOO_OLD = ErrorCode(
    "AUTHZ-216",
    Kind.FAILED_PRECONDITION,
    "The password or passkey was verified too long ago for this request.",
    "Verify it again in the login session, then finish the request.",
)
USER_CHANGED = ErrorCode(
    "AUTHZ-217",
    Kind.FAILED_PRECONDITION,
    "The credentials of this account were changed during the sign-in. Start again.",
    "Create another login session, and verify the user again.",
)
USER_NOT_ADMITTED = ErrorCode(
    "AUTHZ-218",
    Kind.FAILED_PRECONDITION,
    "The application does not accept this user. Sign in as another user.",
    "Sign in the user, or a user of the organization, that the application requests.",
)


async def checked_context(deps: Dependencies, request: AuthRequest, agent: UserAgent = UNKNOWN_AGENT) -> CheckedRequest:
    """Raises AUTHZ-030 for a request that has a response, and for devices; and the errors of its checks."""
    if request.answer or request.signed_in or request.denied or request.waiting is not None:
        raise REQUEST_NOT_FOUND.error(part="request")
    return await run_checks_again(context_of(deps, request, agent))


async def load_user(deps: Dependencies, user_id: str, trust_epoch: int) -> User:
    """Raises AUTHZ-217."""
    user = (await deps.bus.call(GET_USER, GetUser(user_id=user_id))).user
    if user is None or not user.human or user.trust_epoch != trust_epoch:
        raise USER_CHANGED.error()
    return user


async def prove(
    deps: Dependencies, ctx: CheckedRequest, request: AuthRequest, session: LoginSession
) -> tuple[User, Progress]:
    """Returns the user and the progress that the session has proven for a request. Raises AUTHZ-214, 216, 217, 218."""
    if not session.is_proven:
        raise FIRST_FACTOR_MISSING.error()
    user = await load_user(deps, session.user_id, session.trust_epoch)
    require_admitted(ctx, user)
    policy = await deps.users_client.login_policy(user.org_id)
    return user, _progress(deps, ctx, request, session, user, policy)


def require_admitted(ctx: CheckedRequest, user: User) -> None:
    """Raises AUTHZ-218."""
    if ctx.scope.org_id not in ("", user.org_id) or ctx.subject not in ("", user.user_id):
        raise USER_NOT_ADMITTED.error()


def require_recent(deps: Dependencies, ctx: CheckedRequest, request: AuthRequest, auth_time: float) -> None:
    """Raises AUTHZ-216 for a first factor that is too old, or older than the request demands."""
    now, since = deps.clock.now(), _since(ctx, request)
    is_young = now - auth_time < deps.lifetimes.auth_request and not is_issued_ahead(auth_time, now)
    if not is_young or (since is not None and auth_time <= since):
        raise TOO_OLD.error()


def _progress(
    deps: Dependencies,
    ctx: CheckedRequest,
    request: AuthRequest,
    session: LoginSession,
    user: User,
    policy: LoginPolicy,
) -> Progress:
    first = first_factor_of(session, policy)
    if first is None:
        raise FIRST_FACTOR_MISSING.error()
    require_recent(deps, ctx, request, first.at)
    since = _since(ctx, request)
    oldest = deps.clock.now() - deps.lifetimes.second_factor
    return progress_of(session, user, first, policy, oldest if since is None else max(oldest, since))


def _since(ctx: CheckedRequest, request: AuthRequest) -> float | None:
    """The unix seconds after which the request, or the session time of its application, demands the sign-in."""
    since, seconds = demanded_since(ctx.prompts, ctx.max_age, request.began), ctx.client.session_seconds
    return max(since or 0.0, request.began - seconds) if seconds else since
