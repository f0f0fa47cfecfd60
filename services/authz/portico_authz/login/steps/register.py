from __future__ import annotations

from typing import Final

from portico_contracts.login import Problem
from portico_contracts.login_steps.register import RegisterAnswer, RegisterStep, Registration
from portico_contracts.step_names import StepName
from portico_contracts.users import REGISTER, Register
from portico_oauth.errors import ErrorCode, Kind, ServiceError
from portico_oauth.typed_text import trimmed

from portico_authz.authorize.login_requirements import joined_org_of
from portico_authz.dependencies import Dependencies
from portico_authz.domain.progress import Progress, VerifyingEmail
from portico_authz.login.login_step import Common, LoginStep
from portico_authz.login.open_login import save_progress
from portico_authz.login.page_options import offered_providers, policy_of_page
from portico_authz.login.state import Login, Transition

FIELD_MISSING = ErrorCode(
    "LOGIN-006", Kind.INVALID_REQUEST, "All fields except the last name are required.", "Fill in the empty fields."
)

_OF_THE_FORM: Final = (Kind.INVALID_REQUEST, Kind.FAILED_PRECONDITION)


async def _show(deps: Dependencies, transition: Transition, common: Common) -> RegisterStep:
    login, policy = transition.login, await policy_of_page(deps, transition.login)
    joined = await deps.users_client.login_policy(joined_org_of(login.ctx))
    return RegisterStep(
        **common,
        may_register=policy.may_register,
        password_rules=joined.password_rules if joined.password_sign_in else None,
        without_password=not joined.password_sign_in,
        providers=offered_providers(login, policy),
    )


async def _submit(deps: Dependencies, login: Login, answer: RegisterAnswer) -> Transition:
    """Requests an account. A registered address gets the same response, and an email about it (LG-01)."""
    entered = answer.registration
    joined = await deps.users_client.login_policy(joined_org_of(login.ctx))
    if entered is None or not _is_complete(entered, with_password=joined.password_sign_in):
        return Transition(login, Problem.INVALID_FIELD, detail=FIELD_MISSING.id)
    question = Register(
        email=trimmed(entered.email),
        first_name=trimmed(entered.first_name),
        last_name=trimmed(entered.last_name),
        password=entered.password,
        org_id=joined_org_of(login.ctx),
        by_domain=login.any_organization,
        languages=answer.languages,
        sender=answer.address,
    )
    try:
        sent = await deps.bus.call(REGISTER, question)
    except ServiceError as error:
        if error.kind is Kind.TOO_MANY_REQUESTS:
            return Transition(login, Problem.SLOW_DOWN, error.retry_after or 1)
        if error.kind not in _OF_THE_FORM:
            raise
        return Transition(login, Problem.INVALID_FIELD, detail=error.id)
    progress = Progress(under_way=VerifyingEmail(sent.challenge, sent.mail))
    return await save_progress(deps, Transition(login.at(StepName.VERIFY_EMAIL, progress)))


def _is_complete(entered: Registration, *, with_password: bool) -> bool:
    needed = (entered.email, entered.first_name, *((entered.password,) if with_password else ()))
    return all(trimmed(text) for text in needed)


STEP = LoginStep(RegisterAnswer, _show, _submit)
