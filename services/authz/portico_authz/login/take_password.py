"""The answers to the password page, and to the one that demands a new password. Authz passes passwords on, unread."""

from __future__ import annotations

from dataclasses import replace

import structlog
from portico_contracts.authz import EndSessions
from portico_contracts.login import Answer, Problem, Step
from portico_contracts.users import CHANGE_PASSWORD, VERIFY_PASSWORD, ChangePassword, User, VerifyPassword
from portico_oauth.assurance import PASSWORD, with_first
from portico_oauth.errors import Kind, ServiceError

from portico_authz.desk import Desk
from portico_authz.login.open_login import Login, show
from portico_authz.login.proceed import proceed, waiting_told
from portico_authz.login.take_factor import show_passkey
from portico_authz.session.end_sessions import end_sessions_of

log = structlog.get_logger("portico.login")


async def take_password(desk: Desk, login: Login, answer: Answer) -> Step:
    """A wrong password and an unknown user get the same answer (LG-01)."""

    async def verify() -> User | None:
        return await verify_password(desk, login, answer.password)

    if answer.passkey:
        return await show_passkey(desk, login)
    if not answer.password:
        return await show(desk, login, Problem.WRONG_CREDENTIALS)
    user = await waiting_told(desk, login, verify)
    if not isinstance(user, User):
        return user or await show(desk, login, Problem.WRONG_CREDENTIALS)
    progress = replace(login.progress.only_name(), user_id=user.user_id, amr=(PASSWORD,))
    return await proceed(desk, login, progress, user, answer.languages)


async def verify_password(desk: Desk, login: Login, password: str) -> User | None:
    """Whose password that is, of those who have the login name that was typed; an attempt like any other (LG-05)."""
    question = VerifyPassword(login_name=login.progress.login_name, password=password, org_id=login.ctx.org_id)
    asked = desk.clock.now()
    user = (await desk.bus.call(VERIFY_PASSWORD, question)).user
    if user:  # who comes back for the answer need not be asked about once more
        desk.directory.remember_user(user, asked=asked)
    return user


async def take_new_password(desk: Desk, login: Login, answer: Answer) -> Step:
    """Sets a new password with the one in force, and ends the sessions that were begun with that (IR-14)."""

    async def change() -> User | None:
        question = ChangePassword(
            user_id=login.progress.user_id, current_password=answer.password, new_password=answer.new_password
        )
        return (await desk.bus.call(CHANGE_PASSWORD, question)).user

    if not answer.password or not answer.new_password:
        return await show(desk, login, Problem.WRONG_CREDENTIALS)
    try:
        user = await waiting_told(desk, login, change)
    except ServiceError as error:
        if error.kind not in (Kind.INVALID_REQUEST, Kind.FAILED_PRECONDITION):
            raise
        return await show(desk, login, Problem.INVALID_PASSWORD, detail=error.id)
    if not isinstance(user, User):
        return user or await show(desk, login, Problem.WRONG_CREDENTIALS)
    await _end_others(desk, user)
    # Whatever session there was is over; the password is proven by itself.
    proven = replace(login.progress, amr=with_first(login.progress.amr), challenge="", mail="", step_up="")
    return await proceed(desk, login, proven, user, answer.languages)


async def _end_others(desk: Desk, user: User) -> None:
    try:
        await end_sessions_of(desk, EndSessions(user_id=user.user_id))
    except ServiceError as error:
        # The password is changed; the queue goes on with the sessions it knows of.
        log.warning("sessions not ended yet", user_id=user.user_id, cause=error.private)
