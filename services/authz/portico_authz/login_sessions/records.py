"""Loads and saves login sessions: each change is stored once, and replaces the session token."""

from __future__ import annotations

import math
from dataclasses import replace

from portico_contracts.login_sessions import LoginSessionState
from portico_contracts.step_names import StepName
from portico_oauth.errors import ErrorCode, Kind
from portico_oauth.opaque import bucket_in, fingerprint, new_opaque

from portico_authz.dependencies import Dependencies
from portico_authz.domain.login_session import LoginSession

LOGIN_SESSION_NOT_FOUND = ErrorCode(
    "AUTHZ-210",
    Kind.NOT_FOUND,
    "This login session does not exist or has expired.",
    "Create another login session. Only the service user that created one can use it.",
)
CHANGED_MEANWHILE = ErrorCode(
    "AUTHZ-213",
    Kind.ABORTED,
    "This login session was changed by another call at the same time.",
    "Call again. A code that was verified has to be replaced by a new one.",
)


async def find_of_actor(deps: Dependencies, id: str, actor: str) -> LoginSession | None:
    session = await deps.stores.login_sessions.find(id)
    if session is None or session.actor != actor or not session.is_live(deps.clock.now(), deps.lifetimes):
        return None
    return session


async def load_of_actor(deps: Dependencies, id: str, actor: str) -> LoginSession:
    """Raises AUTHZ-210, also for the login session of another service user."""
    session = await find_of_actor(deps, id, actor)
    if session is None:
        raise LOGIN_SESSION_NOT_FOUND.error()
    return session


def new_login_session(deps: Dependencies, actor: str) -> LoginSession:
    now = deps.clock.now()
    id = new_opaque(deps.random(1).hex(), deps.random, 128)
    return LoginSession(id, actor, created=now, changed=now, ends_at=now + deps.lifetimes.session)


async def save_changed(deps: Dependencies, session: LoginSession) -> tuple[LoginSession, str]:
    """Returns the stored session and its new token. Raises AUTHZ-213."""
    now = deps.clock.now()
    token = new_opaque(bucket_in(session.id) or "", deps.random)
    changed = replace(session, sequence=session.sequence + 1, changed=now, token=fingerprint(token))
    seconds = max(1, math.ceil(changed.expires_at(deps.lifetimes) - now))
    if not await deps.stores.login_sessions.save(changed, seconds):
        raise CHANGED_MEANWHILE.error()
    return changed, token


def state_of(deps: Dependencies, session: LoginSession) -> LoginSessionState:
    passed = session.passed
    key = max(session.keys, key=lambda step: passed.get(step, 0.0), default=None)
    return LoginSessionState(
        session_id=session.id,
        created=session.created,
        changed=session.changed,
        sequence=session.sequence,
        ends_at=session.expires_at(deps.lifetimes),
        user_id=session.user_id,
        org_id=session.org_id,
        login_name=session.login_name,
        display_name=session.display_name,
        user_verified_at=session.named_at,
        password_at=passed.get(StepName.PASSWORD, 0.0),
        webauthn_at=passed.get(key, 0.0) if key else 0.0,
        webauthn_user_verified=key in passed and session.keys[key].user_verified if key else False,
        totp_at=passed.get(StepName.TOTP, 0.0),
        otp_sms_at=passed.get(StepName.OTP_SMS, 0.0),
        otp_email_at=passed.get(StepName.OTP_EMAIL, 0.0),
        metadata=session.metadata,
        user_agent=session.user_agent,
    )
