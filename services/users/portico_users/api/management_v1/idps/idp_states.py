"""Deactivates, reactivates and removes identity providers."""

from __future__ import annotations

from portico_contracts.generated.portico.management.v1.idp_messages_pb2 import (
    ChangeIDPStateRequest,
    RemoveIDPResponse,
    UpdateIDPResponse,
)

from portico_users.api.shared.details import details_of
from portico_users.api.transport.call import Call
from portico_users.commands.identity_providers.idps import RemoveIdp
from portico_users.commands.states import Deactivate, Reactivate
from portico_users.directory.identity_providers.idp import Idp


async def deactivate_idp(
    call: Call[Idp], _request: ChangeIDPStateRequest, *, deactivate: Deactivate
) -> UpdateIDPResponse:
    """Users can no longer sign in with it (IP-05); USER-700 when it is not active."""
    return UpdateIDPResponse(details=details_of(await deactivate(call.target.subject, actor=call.caller.user_id)))


async def reactivate_idp(
    call: Call[Idp], _request: ChangeIDPStateRequest, *, reactivate: Reactivate
) -> UpdateIDPResponse:
    """Users can sign in with it again; USER-701 when it is not inactive."""
    return UpdateIDPResponse(details=details_of(await reactivate(call.target.subject, actor=call.caller.user_id)))


async def remove_idp(call: Call[Idp], _request: ChangeIDPStateRequest, *, remove: RemoveIdp) -> RemoveIDPResponse:
    """Removes it; its name is free, its id is not used again."""
    return RemoveIDPResponse(details=details_of(await remove(call.target.subject, actor=call.caller.user_id)))
