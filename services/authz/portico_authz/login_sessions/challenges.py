"""Begins challenges of a login session: WebAuthn, and codes by email and text message."""

from __future__ import annotations

from dataclasses import replace
from urllib.parse import urlsplit

from portico_contracts.login_sessions import LoginChallenges
from portico_contracts.step_names import StepName
from portico_contracts.users import (
    BEGIN_ASSERTION,
    SEND_FACTOR_EMAIL,
    SEND_FACTOR_TEXT,
    BeginAssertion,
    Factor,
    SendFactorEmail,
    SendFactorText,
)
from portico_oauth.errors import ErrorCode, Kind

from portico_authz.authorize.login_requirements import allowed_factors
from portico_authz.dependencies import Dependencies
from portico_authz.domain.factors import WEBAUTHN_FACTORS
from portico_authz.domain.login_session import LoginSession
from portico_authz.login_sessions.requirements import FIRST_FACTOR_MISSING

OTHER_DOMAIN = ErrorCode(
    "AUTHZ-221",
    Kind.INVALID_REQUEST,
    "The domain of the WebAuthn challenge is neither the host of the issuer nor one of PORTICO_PASSKEY_ORIGINS.",
    "Send the host of the page as domain, and have its origin added to PORTICO_PASSKEY_ORIGINS.",
)
NO_SUCH_FACTOR = ErrorCode(
    "AUTHZ-222",
    Kind.FAILED_PRECONDITION,
    "The login session has no user with this factor, or the organization does not allow it.",
    "Name the user first, and request a challenge for a factor that the user has.",
)


async def begin_challenges(
    deps: Dependencies, session: LoginSession, asked: LoginChallenges, languages: tuple[str, ...]
) -> tuple[LoginSession, str]:
    """Returns the session with open challenges, and the options of WebAuthn. Raises AUTHZ-214, 221, 222, and errors of users."""
    options = ""
    if asked.domain:
        session, options = await _begin_assertion(deps, session, asked)
    if asked.otp_sms:
        await _require_code(deps, session, Factor.OTP_SMS)
        question = SendFactorText(user_id=session.user_id, languages=languages)
        session = _with(session, StepName.OTP_SMS, (await deps.bus.call(SEND_FACTOR_TEXT, question)).challenge)
    if asked.otp_email:
        await _require_code(deps, session, Factor.OTP_EMAIL)
        mail = SendFactorEmail(user_id=session.user_id, languages=languages)
        session = _with(session, StepName.OTP_EMAIL, (await deps.bus.call(SEND_FACTOR_EMAIL, mail)).challenge)
    return session, options


async def _begin_assertion(
    deps: Dependencies, session: LoginSession, asked: LoginChallenges
) -> tuple[LoginSession, str]:
    if asked.domain not in {urlsplit(deps.issuer).hostname, *deps.passkey_hosts}:
        raise OTHER_DOMAIN.error()
    allowed = await _allowed(deps, session)
    kinds = tuple(kind for kind in WEBAUTHN_FACTORS if kind in allowed)
    if asked.user_verification:
        kinds = tuple(kind for kind in kinds if kind is Factor.PASSKEY)
    if not kinds:
        raise NO_SUCH_FACTOR.error()
    question = BeginAssertion(user_id=session.user_id, passkey=asked.user_verification, kinds=kinds)
    begun = await deps.bus.call(BEGIN_ASSERTION, question)
    if not begun.assertion:
        raise NO_SUCH_FACTOR.error()
    return _with(session, StepName.SECURITY_KEY, begun.assertion), begun.options


async def _require_code(deps: Dependencies, session: LoginSession, factor: Factor) -> None:
    """Codes are sent only after a first factor: otherwise a name would be enough to send messages to its owner."""
    if not session.is_proven:
        raise FIRST_FACTOR_MISSING.error()
    if factor not in await _allowed(deps, session):
        raise NO_SUCH_FACTOR.error()


async def _allowed(deps: Dependencies, session: LoginSession) -> tuple[Factor, ...]:
    user = await deps.users_client.find_user(session.user_id) if session.user_id else None
    return await allowed_factors(deps, user) if user else ()


def _with(session: LoginSession, step: StepName, challenge: str) -> LoginSession:
    return replace(session, challenges={**session.challenges, step: challenge})
