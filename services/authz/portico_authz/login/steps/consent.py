"""Consent of the user to what the application requests."""

from __future__ import annotations

from portico_contracts.login_steps.consent import AskingDevice, ConsentAnswer, ConsentStep, RequestedScope
from portico_contracts.step_names import StepName
from portico_contracts.users import (
    DESCRIBE_SCOPES,
    GIVE_CONSENT,
    ApiScope,
    Consent,
    DescribedScope,
    DescribeScopes,
    GiveConsent,
)

from portico_authz.dependencies import Dependencies
from portico_authz.domain.progress import Consented, Progress
from portico_authz.login.login_step import Common, LoginStep
from portico_authz.login.named_user import is_named
from portico_authz.login.open_login import save_progress
from portico_authz.login.state import Login, Transition


async def _show(deps: Dependencies, transition: Transition, common: Common) -> ConsentStep:
    login = transition.login
    if login.consenting is None:
        return ConsentStep(**common)
    client, asked = login.ctx.client, login.ctx.to_be_allowed
    words = tuple(sorted({one.scope for one in asked if one.api}))
    question = DescribeScopes(client_id=client.client_id, scopes=words, org_id=client.org_id)
    described = await deps.bus.call(DESCRIBE_SCOPES, question)
    texts = {ApiScope(one.client_id, one.scope): one for one in described.scopes}
    allowed = await deps.users_client.consent(login.consenting.user_id, client.client_id)
    shown = []
    for scope in asked:
        one = texts.get(scope, DescribedScope(scope=scope.scope, api=scope.api))
        shown.append(RequestedScope(scope.scope, one.api, one.title, one.description, scope in allowed))
    return ConsentStep(**common, scopes=tuple(shown), org_name=described.org_name, device=_device_of(login))


def _device_of(login: Login) -> AskingDevice | None:
    one = login.ctx.device
    return AskingDevice(one.user_code, one.asked_at, one.address, one.country) if one else None


async def _submit(deps: Dependencies, login: Login, answer: ConsentAnswer) -> Transition:
    """Allows exactly what the page showed, for the user whom it named; else the page is shown again."""
    session, shown = login.consenting, login.ctx.to_be_allowed
    if session is None or not is_named(login) or {*answer.scopes} != {one.scope for one in shown}:
        return Transition(login)
    client = login.ctx.client
    if client.consent is not Consent.NONE:
        given = GiveConsent(
            user_id=session.user_id,
            client_id=client.client_id,
            scopes=tuple(one.scope for one in shown if not one.api),
            of_apis=tuple(one for one in shown if one.api),
            org_id=client.org_id,
        )
        await deps.bus.call(GIVE_CONSENT, given)
    progress = Progress(
        chosen=session.sid,
        login_name=session.login_name,
        shown=session.shown_name,
        under_way=Consented(session.user_id, shown),
    )
    return await save_progress(deps, Transition(login.at(StepName.DONE, progress)))


STEP = LoginStep(ConsentAnswer, _show, _submit)
