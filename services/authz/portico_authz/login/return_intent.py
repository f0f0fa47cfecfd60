"""Callbacks for intents, which a service user started and users owns (decision 0051).

Their `state` has a prefix that no identifier of authz has. They are not bound to a browser, which is
redirected to a page of the caller.
"""

from __future__ import annotations

from portico_contracts.login_external import ExternalReturned, ReturnExternal
from portico_contracts.login_steps.done import DoneStep
from portico_contracts.users import INTENT_STATE, RETURN_INTENT, ReturnIntent

from portico_authz.dependencies import Dependencies
from portico_authz.domain.external import ParkedReturn


def is_of_intent(state: str) -> bool:
    return state.startswith(INTENT_STATE)


async def return_intent(deps: Dependencies, query: ReturnExternal, back: ParkedReturn) -> ExternalReturned:
    """Forwards a callback, once; the browser is redirected to the caller's page. Raises errors of users."""
    question = ReturnIntent(state=back.state, provider_id=back.provider_id, parameters=back.parameters, jwt=back.jwt)
    returned = await deps.bus.call(RETURN_INTENT, question)
    if query.handle:
        await deps.stores.parked_returns.consume(query.handle)
    return ExternalReturned(request_id="", step=DoneStep(leave_to=returned.url))
