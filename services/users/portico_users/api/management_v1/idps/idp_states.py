"""Switches identity providers off and on, and removes them."""

from __future__ import annotations

from portico_contracts.generated.portico.management.v1.idp_messages_pb2 import (
    ChangeIDPStateRequest,
    RemoveIDPResponse,
    UpdateIDPResponse,
)

from portico_users.api.shared.committing import commit
from portico_users.api.shared.details import details_of
from portico_users.api.transport.call import Call
from portico_users.directory.identity_providers.changes import remove_idp as removal_of
from portico_users.directory.identity_providers.idp import Idp
from portico_users.directory.identity_providers.store import IDPS
from portico_users.kernel.entry import Entry
from portico_users.kernel.states import deactivated, reactivated


async def deactivate_idp(call: Call[Idp], _request: ChangeIDPStateRequest) -> UpdateIDPResponse:
    """Nobody signs in with it any more (IP-05); USER-700 when it is not active."""
    before = call.target.subject
    record = await commit(call, Entry(IDPS, before, deactivated(before)))
    return UpdateIDPResponse(details=details_of(record))


async def reactivate_idp(call: Call[Idp], _request: ChangeIDPStateRequest) -> UpdateIDPResponse:
    """It may be used again; USER-701 when it is not inactive."""
    before = call.target.subject
    record = await commit(call, Entry(IDPS, before, reactivated(before)))
    return UpdateIDPResponse(details=details_of(record))


async def remove_idp(call: Call[Idp], _request: ChangeIDPStateRequest) -> RemoveIDPResponse:
    """Removes it; its name is free, its id is not used again."""
    record = await commit(call, removal_of(call.target.subject))
    return RemoveIDPResponse(details=details_of(record))
