"""Creates or changes a login session: names the user, verifies what was sent, then begins challenges.

The checks are those of the login pages (`login.verifiers`, `login.factors`), so that both share the counts of attempts at users. Nothing is
stored unless every check of a call has passed.
"""

from __future__ import annotations

from collections.abc import Awaitable
from dataclasses import replace
from typing import Final

from msgspec.structs import replace as with_fields
from portico_contracts.login_sessions import CheckLogin, LoginChecked, LoginChecks
from portico_contracts.sign_in_failures import SignInFailure
from portico_contracts.step_names import StepName
from portico_contracts.users import FIND_USER, GET_USER, FindUser, GetUser, User
from portico_oauth.errors import ErrorCode, Kind, ServiceError

from portico_authz.dependencies import Dependencies
from portico_authz.domain.login_session import LoginSession, WebAuthnKey
from portico_authz.event_publisher import SignInOrigin
from portico_authz.login.factors import verify_allowed
from portico_authz.login.login_step import failure_of
from portico_authz.login.verifiers import Attempted, Verified, verify_named
from portico_authz.login_sessions.challenges import begin_challenges
from portico_authz.login_sessions.limits import require_limits, require_metadata
from portico_authz.login_sessions.records import load_of_actor, new_login_session, save_changed, state_of
from portico_authz.login_sessions.requirements import FIRST_FACTOR_MISSING

USER_NOT_FOUND = ErrorCode(
    "AUTHZ-211",
    Kind.NOT_FOUND,
    "No active person has this user id or login name.",
    "Check the name. Service users, locked and inactive users cannot sign in.",
)
WRONG_VALUE = ErrorCode(
    "AUTHZ-212",
    Kind.INVALID_REQUEST,
    "The password, code or key is wrong.",
    "Let the user try again. A code that was sent and a WebAuthn challenge can be used once.",
)
OTHER_USER = ErrorCode(
    "AUTHZ-220",
    Kind.FAILED_PRECONDITION,
    "This login session is of another user, or has no user yet.",
    "Send the user with the first check, and create another login session for another user.",
)

_ORIGIN: Final = SignInOrigin("", "", "")
"""The application and the browser are not known before the request is finished."""


async def check_login(deps: Dependencies, message: CheckLogin) -> LoginChecked:
    """Raises AUTHZ-210 to 214 and 219 to 222, and TOO_MANY_REQUESTS of users with its delay."""
    require_limits(message)
    if message.session_id:
        session = await load_of_actor(deps, message.session_id, message.actor)
    else:
        session = new_login_session(deps, message.actor)
    session, left = await _name_user(deps, session, message.checks)
    session = await _verify(deps, session, left)
    session, options = await begin_challenges(deps, session, message.challenges, message.languages)
    stored, token = await save_changed(deps, _with_fields(deps, session, message))
    return LoginChecked(session=state_of(deps, stored), session_token=token, options=options)


async def _name_user(
    deps: Dependencies, session: LoginSession, checks: LoginChecks
) -> tuple[LoginSession, LoginChecks]:
    """Returns the session with its user, and the checks that are left.

    The user of a session is loaded for each change, because its name may have changed.
    """
    if checks.login_name and checks.password and not checks.user_id:
        return await _name_by_password(deps, session, checks)
    if checks.user_id or not checks.login_name:
        user_id = checks.user_id or session.user_id
        if not user_id:
            return session, checks
        user = (await deps.bus.call(GET_USER, GetUser(user_id=user_id))).user
    else:
        user = await _find(deps, checks.login_name)
    if user is None or not user.human:
        raise USER_NOT_FOUND.error()
    if session.user_id not in ("", user.user_id):
        raise OTHER_USER.error()
    return session.of_user(user, deps.clock.now()), checks


async def _name_by_password(
    deps: Dependencies, session: LoginSession, checks: LoginChecks
) -> tuple[LoginSession, LoginChecks]:
    """Verifies the password of a login name, which may create the user: one whom the old system knows (decision 0103).

    An unknown name gets the response of a wrong password, after the same work with the same values (LG-01).
    """
    found = await _find(deps, checks.login_name)
    if session.user_id and (found is None or found.user_id != session.user_id):
        raise OTHER_USER.error()
    named = session.of_user(found, deps.clock.now()) if found and found.human else session
    user = await _attempt(deps, named, verify_named(deps, checks.login_name, checks.password, ""), StepName.PASSWORD)
    return session.with_passed(StepName.PASSWORD, user, deps.clock.now()), with_fields(checks, password="")


async def _find(deps: Dependencies, login_name: str) -> User | None:
    return (await deps.bus.call(FIND_USER, FindUser(login_name=login_name, org_id=""))).user


async def _verify(deps: Dependencies, session: LoginSession, checks: LoginChecks) -> LoginSession:
    """In the order of the fields; a code counts only after the password or a passkey, as on the login pages (LG-08)."""
    if not session.user_id and any((checks.password, checks.credential, checks.totp, checks.otp_sms, checks.otp_email)):
        raise OTHER_USER.error(cause="no user")
    if checks.password:
        user = await _attempt(deps, session, _password(deps, session, checks.password), StepName.PASSWORD)
        session = session.with_passed(StepName.PASSWORD, user, deps.clock.now())
    if checks.credential:
        session = await _with_key(deps, session, checks.credential)
    codes = {StepName.TOTP: checks.totp, StepName.OTP_SMS: checks.otp_sms, StepName.OTP_EMAIL: checks.otp_email}
    for step, code in codes.items():
        if code:
            session = await _with_code(deps, session, step, code.strip())
    return session


async def _with_key(deps: Dependencies, session: LoginSession, credential: str) -> LoginSession:
    step, key = StepName.SECURITY_KEY, None

    async def verify() -> User | Attempted:
        nonlocal key
        verified = await _verified(deps, session, step, credential)
        key = WebAuthnKey(verified.factor, verified.user_verified, verified.device_bound)
        return verified.result(session.user_id)

    user = await _attempt(deps, session, verify(), step)
    if key is None:
        raise LookupError("no key was verified")
    return session.with_key(key, user, deps.clock.now()).without_challenge(step)


async def _with_code(deps: Dependencies, session: LoginSession, step: StepName, code: str) -> LoginSession:
    if not session.is_proven:
        raise FIRST_FACTOR_MISSING.error()

    async def verify() -> User | Attempted:
        return (await _verified(deps, session, step, code)).result(session.user_id)

    user = await _attempt(deps, session, verify(), step)
    return session.with_passed(step, user, deps.clock.now()).without_challenge(step)


async def _verified(deps: Dependencies, session: LoginSession, step: StepName, value: str) -> Verified:
    return await verify_allowed(deps, step, session.user_id, session.challenges.get(step, ""), value)


async def _password(deps: Dependencies, session: LoginSession, password: str) -> User | Attempted:
    return await verify_named(deps, session.login_name, password, session.org_id)


async def _attempt(
    deps: Dependencies, session: LoginSession, verified: Awaitable[User | Attempted], step: StepName
) -> User:
    """Runs one attempt, with the events of the login pages. Raises AUTHZ-212."""
    try:
        user = await verified
    except ServiceError as error:
        if error.kind is Kind.TOO_MANY_REQUESTS:
            failure = SignInFailure.TOO_MANY_ATTEMPTS
            deps.publisher.login_failed(_ORIGIN, session.user_id, failure=failure)
        raise
    if not isinstance(user, User) or session.user_id not in ("", user.user_id) or not user.human:
        deps.publisher.login_failed(_ORIGIN, session.user_id, failure=failure_of(step, user))
        raise WRONG_VALUE.error()
    return user


def _with_fields(deps: Dependencies, session: LoginSession, message: CheckLogin) -> LoginSession:
    merged = {**session.metadata, **message.metadata}
    metadata = {key: value for key, value in merged.items() if value}
    require_metadata(metadata)
    now, longest = deps.clock.now(), session.created + deps.lifetimes.session
    return replace(
        session,
        metadata=metadata,
        user_agent=message.user_agent or session.user_agent,
        ends_at=min(now + message.lifetime, longest) if message.lifetime else session.ends_at,
    )
