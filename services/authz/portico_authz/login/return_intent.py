"""The login API: a browser comes back for an intent, which a service user began and users has (decision 0051).

Intents share the callback addresses with sign-ins, and nothing else: what their `state` begins with is no identifier of
authz, and users has no flow of a sign-in. They are bound to no browser of ours: it goes on to a page of the caller.
"""

from __future__ import annotations

from portico_contracts.login import Step, StepName
from portico_contracts.login_external import ExternalReturned, ReturnExternal
from portico_contracts.users import (
    INTENT_STATE,
    RETURN_INTENT,
    ReturnIntent,
)

from portico_authz.dependencies import Dependencies
from portico_authz.domain.external import ParkedReturn


def is_of_intent(state: str) -> bool:
    """True for the ``state`` of an intent."""
    return state.startswith(INTENT_STATE)


async def return_intent(deps: Dependencies, query: ReturnExternal, back: ParkedReturn) -> ExternalReturned:
    """Passes on what the browser brought, once; it goes on to the caller's page. Raises what users refuses."""
    question = ReturnIntent(state=back.state, provider_id=back.provider_id, parameters=back.parameters, jwt=back.jwt)
    returned = await deps.bus.call(RETURN_INTENT, question)
    if query.handle:
        await deps.stores.external_flows.consume_parked(query.handle)
    return ExternalReturned(request_id="", step=Step(name=StepName.DONE, leave_to=returned.url))
