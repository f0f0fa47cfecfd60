"""The answer to the consent page."""

from __future__ import annotations

from portico_contracts.login import Answer, StepName
from portico_contracts.users import GIVE_CONSENT, Consent, GiveConsent

from portico_authz.dependencies import Dependencies
from portico_authz.domain.auth_request import Progress
from portico_authz.login.named_user import is_named
from portico_authz.login.open_login import save_progress
from portico_authz.login.state import Login, Transition


async def submit_consent(deps: Dependencies, login: Login, answer: Answer) -> Transition:
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
        allowed=shown,
        consented_by=session.user_id,
    )
    return await save_progress(deps, Transition(login.at(StepName.DONE, progress)))
