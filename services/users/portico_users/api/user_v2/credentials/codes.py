"""Codes by email, and recovery codes."""

from __future__ import annotations

from portico_contracts.generated.portico.user.v2 import credentials_pb2 as pb

from portico_users.api.shared.details import changed_details_of
from portico_users.api.transport.call import Call
from portico_users.api.user_v2.credentials.person import human_of
from portico_users.commands.credentials.recovery_codes import GenerateRecoveryCodes
from portico_users.directory.accounts.account import AnyUser


async def generate_recovery_codes(
    call: Call[AnyUser], request: pb.GenerateRecoveryCodesRequest, *, generate: GenerateRecoveryCodes
) -> pb.GenerateRecoveryCodesResponse:
    """Replaces all recovery codes; USER-506."""
    new = await generate(human_of(call), request.count, actor=call.caller.user_id)
    return pb.GenerateRecoveryCodesResponse(details=changed_details_of(new.human), recovery_codes=new.codes)


async def count_recovery_codes(
    call: Call[AnyUser], _request: pb.CountRecoveryCodesRequest
) -> pb.CountRecoveryCodesResponse:
    """Returns how many are not used; USER-506."""
    human = human_of(call)
    return pb.CountRecoveryCodesResponse(details=changed_details_of(human), count=human.recovery_codes)
