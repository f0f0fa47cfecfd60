"""Codes by mail, and recovery codes."""

from __future__ import annotations

from portico_contracts.generated.portico.user.v2 import credentials_pb2 as pb

from portico_users.api.shared.details import changed_details_of
from portico_users.api.transport.call import Call
from portico_users.api.user_v2.credentials.person import human_of
from portico_users.directory.accounts.account import AnyUser


async def add_otp_email(call: Call[AnyUser], _request: pb.AddOTPEmailRequest) -> pb.AddOTPEmailResponse:
    """Codes by mail become a second factor; USER-506, USER-530, USER-531."""
    human = await call.needs.credentials.mail.add(human_of(call), actor=call.caller.user_id)
    return pb.AddOTPEmailResponse(details=changed_details_of(human))


async def remove_otp_email(call: Call[AnyUser], _request: pb.RemoveOTPEmailRequest) -> pb.RemoveOTPEmailResponse:
    """Codes by mail are none any more; USER-506, USER-532."""
    human = await call.needs.credentials.mail.remove(human_of(call), actor=call.caller.user_id)
    return pb.RemoveOTPEmailResponse(details=changed_details_of(human))


async def generate_recovery_codes(
    call: Call[AnyUser], request: pb.GenerateRecoveryCodesRequest
) -> pb.GenerateRecoveryCodesResponse:
    """New codes instead of all there were; USER-506."""
    codes, actor = call.needs.credentials.recovery_codes, call.caller.user_id
    made = await codes.generate(human_of(call), request.count, actor=actor)
    return pb.GenerateRecoveryCodesResponse(details=changed_details_of(made.human), recovery_codes=made.codes)


async def count_recovery_codes(
    call: Call[AnyUser], _request: pb.CountRecoveryCodesRequest
) -> pb.CountRecoveryCodesResponse:
    """How many are left; USER-506."""
    human = human_of(call)
    return pb.CountRecoveryCodesResponse(details=changed_details_of(human), count=human.recovery_codes)


async def remove_recovery_codes(
    call: Call[AnyUser], _request: pb.RemoveRecoveryCodesRequest
) -> pb.RemoveRecoveryCodesResponse:
    """Removes them all; USER-506, USER-520."""
    human = await call.needs.credentials.recovery_codes.remove(human_of(call), actor=call.caller.user_id)
    return pb.RemoveRecoveryCodesResponse(details=changed_details_of(human))
