from __future__ import annotations

from dataclasses import replace

from portico_contracts.login import Problem
from portico_contracts.step_names import StepName
from portico_contracts.users.enrolment import (
    BEGIN_ENROLLED_KEY,
    BEGIN_ENROLLED_TOTP,
    BEGIN_ENROLMENT,
    GET_ENROLLED_CODES,
    BeginEnrolledKey,
    BeginEnrolledTotp,
    BeginEnrolment,
    GetEnrolledCodes,
)
from portico_oauth.errors import Kind, ServiceError

from portico_authz.dependencies import Dependencies
from portico_authz.domain.factors import ENROLLED_BY, KEY_REGISTRATIONS, RENEW_SECONDS, registrations_of
from portico_authz.domain.progress import Enrolment, FactorChallenge
from portico_authz.login.state import EnrolmentShown, Login, Transition


def masked(email: str) -> str:
    local, _, domain = email.rpartition("@")
    return f"{local[:1]}\u2026@{domain}"


def masked_phone(phone: str) -> str:
    return f"\u2026{phone[-2:]}"


async def prepare_enrolment(deps: Dependencies, login: Login, languages: tuple[str, ...] = ()) -> Transition:
    """Starts the enrolment, again if users ended it meanwhile, and loads the data of its page."""
    enrolment = login.progress.enrolment
    if enrolment is None:
        return await begin_enrolment(deps, login, languages)
    try:
        return await _shown(deps, login, enrolment)
    except ServiceError as error:
        if error.kind is not Kind.FAILED_PRECONDITION:
            raise
        return await begin_enrolment(deps, login, languages)


async def _shown(deps: Dependencies, login: Login, enrolment: Enrolment) -> Transition:
    user_id, name = login.progress.user_id, enrolment.name
    if login.step in KEY_REGISTRATIONS:
        return Transition(await _with_key_challenge(deps, login, enrolment))
    shown = EnrolmentShown()
    if login.step is StepName.ENROL:
        shown = EnrolmentShown(registrations=await _registrations(deps, login))
    elif login.step is StepName.ENROL_TOTP:
        begun = await deps.bus.call(BEGIN_ENROLLED_TOTP, BeginEnrolledTotp(user_id=user_id, enrolment=name))
        shown = EnrolmentShown(uri=begun.uri, secret=begun.secret)
    elif login.step is StepName.RECOVERY_CODES:
        question = GetEnrolledCodes(user_id=user_id, enrolment=name)
        shown = EnrolmentShown(recovery_codes=(await deps.bus.call(GET_ENROLLED_CODES, question)).codes)
    return Transition(login, shown=shown)


async def _with_key_challenge(deps: Dependencies, login: Login, enrolment: Enrolment) -> Login:
    asked = login.progress.asked
    if asked and asked.step is login.step and deps.clock.now() < asked.renew_at:
        return login
    factor = ENROLLED_BY[login.step]
    question = BeginEnrolledKey(user_id=login.progress.user_id, enrolment=enrolment.name, factor=factor)
    begun = await deps.bus.call(BEGIN_ENROLLED_KEY, question)
    challenge = FactorChallenge(
        login.step, begun.registration, begun.options, renew_at=deps.clock.now() + RENEW_SECONDS
    )
    return login.at(login.step, replace(login.progress, asked=challenge))


def not_sent(login: Login, error: ServiceError) -> Transition:
    """The open step with the problem, where a code was not sent; raises every other error."""
    if error.kind is Kind.TOO_MANY_REQUESTS and error.retry_after:
        return Transition(login, Problem.SLOW_DOWN, error.retry_after)
    # Without a time to wait for, such as at the limit of text messages, another way is better than waiting.
    if error.kind in (Kind.FAILED_PRECONDITION, Kind.TOO_MANY_REQUESTS):
        return Transition(login, Problem.NOT_SENT)
    raise error


async def begin_enrolment(deps: Dependencies, login: Login, languages: tuple[str, ...]) -> Transition:
    question = BeginEnrolment(user_id=login.progress.user_id, languages=languages)
    try:
        begun = await deps.bus.call(BEGIN_ENROLMENT, question)
    except ServiceError as error:
        return not_sent(login, error)
    enrolment = Enrolment(begun.enrolment, masked(begun.mail) if begun.mail else "", is_open=not begun.mail)
    step = StepName.ENROL if enrolment.is_open else StepName.ENROL_EMAIL
    begun_login = login.at(step, replace(login.progress, under_way=enrolment))
    shown = EnrolmentShown(registrations=await _registrations(deps, login)) if enrolment.is_open else None
    return Transition(begun_login, shown=shown)


async def _registrations(deps: Dependencies, login: Login) -> tuple[StepName, ...]:
    user = await deps.users_client.find_user(login.progress.user_id)
    return registrations_of(await deps.users_client.login_policy(user.org_id)) if user else ()
