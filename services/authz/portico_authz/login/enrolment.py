"""Enrolment of a required second factor (decision 0046): users enrols only a user who has none."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace

from portico_contracts.authz import EndSessions
from portico_contracts.login import CodeAnswer, KeyAnswer, Problem
from portico_contracts.login_steps.enrol_key import EnrolKeyAnswer
from portico_contracts.login_steps.enrol_passkey import EnrolPasskeyAnswer
from portico_contracts.login_steps.enrol_totp import EnrolTotpAnswer
from portico_contracts.step_names import StepName
from portico_contracts.users import User
from portico_contracts.users.enrolment import (
    BEGIN_ENROLLED_KEY,
    BEGIN_ENROLMENT,
    FINISH_ENROLMENT,
    BeginEnrolledKey,
    BeginEnrolment,
    FinishEnrolment,
)
from portico_oauth.assurance import add_second_factor
from portico_oauth.errors import Kind, ServiceError

from portico_authz.authorize.login_requirements import find_authenticated
from portico_authz.dependencies import Dependencies
from portico_authz.domain.factors import ENROLLED_BY, KEY_REGISTRATIONS, methods_of, registrations_of
from portico_authz.domain.progress import Enrolment, Progress
from portico_authz.login.continue_login import attempt, continue_login
from portico_authz.login.key_challenges import at_challenge, has_fresh_challenge, new_challenge
from portico_authz.login.login_step import Begin, prepare_step
from portico_authz.login.open_login import save_progress
from portico_authz.login.sent_codes import masked, not_sent
from portico_authz.login.state import Login, Shown, Transition
from portico_authz.session.end_sessions import end_sessions_or_log


@dataclass(frozen=True, slots=True)
class Registrations(Shown):
    """The factors that may be registered."""

    steps: tuple[StepName, ...]


def begins_with(load: Callable[[Dependencies, Login, Enrolment], Awaitable[Transition]]) -> Begin:
    """Returns the begin of a step that loads its page with `load`: it starts the enrolment, again if users ended it."""

    async def begin(deps: Dependencies, login: Login, languages: tuple[str, ...], _owner: str) -> Transition:
        enrolment = login.progress.enrolment
        if enrolment is None:
            return await begin_enrolment(deps, login, languages)
        try:
            return await load(deps, login, enrolment)
        except ServiceError as error:
            if error.kind is not Kind.FAILED_PRECONDITION:
                raise
            return await begin_enrolment(deps, login, languages)

    return begin


async def begin_enrolment(deps: Dependencies, login: Login, languages: tuple[str, ...]) -> Transition:
    progress = login.progress
    question = BeginEnrolment(user_id=progress.user_id, languages=languages, proved_address=progress.proved_address)
    try:
        begun = await deps.bus.call(BEGIN_ENROLMENT, question)
    except ServiceError as error:
        return not_sent(login, error)
    enrolment = Enrolment(begun.enrolment, masked(begun.mail) if begun.mail else "", is_open=not begun.mail)
    if progress.registered and enrolment.is_open:
        enrolment = replace(enrolment, chosen=StepName.ENROL_PASSKEY)
        only = login.at(StepName.ENROL_PASSKEY, replace(progress, under_way=enrolment))
        return await with_key(deps, only, enrolment)
    step = StepName.ENROL if enrolment.is_open else StepName.ENROL_EMAIL
    begun_login = login.at(step, replace(progress, under_way=enrolment))
    return await with_registrations(deps, begun_login) if enrolment.is_open else Transition(begun_login)


async def with_registrations(deps: Dependencies, login: Login) -> Transition:
    user = await deps.users_client.find_user(login.progress.user_id)
    if user is None:
        return Transition(login, shown=Registrations(()))
    policy = await deps.users_client.login_policy(user.org_id)
    return Transition(login, shown=Registrations(registrations_of(policy, emailed=login.progress.emailed)))


async def with_key(deps: Dependencies, login: Login, enrolment: Enrolment) -> Transition:
    """The challenge of a key that is registered."""
    if has_fresh_challenge(deps, login):
        return Transition(login)
    question = BeginEnrolledKey(
        user_id=login.progress.user_id, enrolment=enrolment.name, factor=ENROLLED_BY[login.step]
    )
    begun = await deps.bus.call(BEGIN_ENROLLED_KEY, question)
    return Transition(at_challenge(login, new_challenge(deps, login.step, begun.registration, begun.options)))


async def register_factor(
    deps: Dependencies, login: Login, answer: EnrolKeyAnswer | EnrolPasskeyAnswer | EnrolTotpAnswer
) -> Transition:
    enrolment = login.progress.enrolment
    if enrolment is None:
        return await save_progress(deps, await prepare_step(deps, login, answer.languages))
    if answer.other is StepName.ENROL and not login.progress.registered:
        return await at_enrolment(deps, login, StepName.ENROL, replace(enrolment, chosen=None), answer.languages)
    question = _completion(login, enrolment, answer)
    if login.step in KEY_REGISTRATIONS:
        # The challenge is used up whatever the result, even if this replica fails before the page is reloaded.
        without = login.at(login.step, replace(login.progress, asked=None))
        login = (await save_progress(deps, Transition(without))).login

    try:
        user, device_bound = await _finish(deps, login, question) if answer.single_use else (None, False)
    except ServiceError as error:
        if error.kind is not Kind.FAILED_PRECONDITION:
            raise
        return await leave_enrolment(deps, login, answer.languages)
    if not isinstance(user, User):
        wrong = Problem.WRONG_KEY if login.step in KEY_REGISTRATIONS else Problem.WRONG_CODE
        problem = user or Transition(login, wrong)
        prepared = await save_progress(deps, await prepare_step(deps, login, answer.languages))
        return replace(prepared, problem=problem.problem, retry_after=problem.retry_after)
    amr = methods_of(login.step, device_bound=device_bound)
    return await _go_on(deps, login, enrolment, user, amr, answer.languages, device_bound=device_bound)


async def register_email_codes(
    deps: Dependencies, login: Login, enrolment: Enrolment, languages: tuple[str, ...]
) -> Transition:
    """Emailed codes need no registration: the one that opened the enrolment is the first."""
    question = FinishEnrolment(
        user_id=login.progress.user_id, enrolment=enrolment.name, factor=ENROLLED_BY[StepName.OTP_EMAIL]
    )
    try:
        user, _ = await _finish(deps, login, question)
    except ServiceError as error:
        if error.kind is not Kind.FAILED_PRECONDITION:
            raise
        return await leave_enrolment(deps, login, languages)
    if not isinstance(user, User):
        return user or await leave_enrolment(deps, login, languages)
    amr = methods_of(StepName.OTP_EMAIL, device_bound=False)
    return await _go_on(deps, login, enrolment, user, amr, languages)


async def _finish(deps: Dependencies, login: Login, question: FinishEnrolment) -> tuple[User | Transition | None, bool]:
    """Returns what `attempt` returns, and whether the key of it is bound to its device."""
    device_bound = False

    async def finish() -> User | None:
        nonlocal device_bound
        finished = await deps.bus.call(FINISH_ENROLMENT, question)
        device_bound = finished.device_bound
        return finished.user

    return await attempt(deps, login, finish()), device_bound


async def _go_on(
    deps: Dependencies,
    login: Login,
    enrolment: Enrolment,
    user: User,
    amr: tuple[str, ...],
    languages: tuple[str, ...],
    *,
    device_bound: bool = False,
) -> Transition:
    # Every session but the one this sign-in adds a factor to.
    await end_sessions_or_log(deps, EndSessions(user_id=user.user_id, but_session_id=login.progress.step_up))
    progress = _with_factor(login, enrolment, amr, device_bound=device_bound)
    return await continue_login(deps, login, progress, user, languages)


def _completion(login: Login, enrolment: Enrolment, answer: CodeAnswer | KeyAnswer) -> FinishEnrolment:
    asked = login.progress.asked
    return FinishEnrolment(
        user_id=login.progress.user_id,
        enrolment=enrolment.name,
        factor=ENROLLED_BY[login.step],
        code=answer.code.strip() if isinstance(answer, CodeAnswer) else "",
        registration=asked.name if asked and asked.step is login.step else "",
        credential=answer.credential if isinstance(answer, KeyAnswer) else "",
    )


async def leave_enrolment(deps: Dependencies, login: Login, languages: tuple[str, ...]) -> Transition:
    """If users ended the enrolment, requests the factor registered by another login, or starts a new enrolment."""
    user = await find_authenticated(deps, login.progress)
    if user is None:  # the next call decides again
        return Transition(login)
    return await continue_login(deps, login, replace(login.progress, under_way=None), user, languages)


async def at_enrolment(
    deps: Dependencies, login: Login, step: StepName, enrolment: Enrolment, languages: tuple[str, ...]
) -> Transition:
    moved = login.at(step, replace(login.progress, under_way=enrolment))
    return await save_progress(deps, await prepare_step(deps, moved, languages))


def _with_factor(login: Login, enrolment: Enrolment, methods: tuple[str, ...], *, device_bound: bool) -> Progress:
    """The registered factor counts in this sign-in."""
    amr = add_second_factor(login.progress.amr, *methods)
    done = replace(enrolment, is_done=True)
    # Without the epoch, because the enrolment itself has changed it.
    progress = replace(login.progress, amr=amr, second=True, asked=None, under_way=done, epoch=None, registered=False)
    return replace(progress, device_bound=progress.device_bound or device_bound)
