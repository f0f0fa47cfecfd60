"""Codes by email, and recovery codes."""

from __future__ import annotations

from portico_contracts.generated.portico.user.v2 import credentials_pb2 as pb

from portico_users.api.shared.details import changed_details_of
from portico_users.api.transport.call import Call
from portico_users.api.user_v2.credentials.person import human_of
from portico_users.commands.credentials.otp_email import AddOtpEmail, RemoveOtpEmail
from portico_users.commands.credentials.recovery_codes import GenerateRecoveryCodes, RemoveRecoveryCodes
from portico_users.directory.accounts.account import AnyUser


async def add_otp_email(
    call: Call[AnyUser], _request: pb.AddOTPEmailRequest, *, add: AddOtpEmail
) -> pb.AddOTPEmailResponse:
    """Adds codes by email as a second factor; USER-506, USER-530, USER-531."""
    human = await add(human_of(call), actor=call.caller.user_id)
    return pb.AddOTPEmailResponse(details=changed_details_of(human))


async def remove_otp_email(
    call: Call[AnyUser], _request: pb.RemoveOTPEmailRequest, *, remove: RemoveOtpEmail
) -> pb.RemoveOTPEmailResponse:
    """Removes codes by email as a second factor; USER-506, USER-532."""
    human = await remove(human_of(call), actor=call.caller.user_id)
    return pb.RemoveOTPEmailResponse(details=changed_details_of(human))


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


async def remove_recovery_codes(
    call: Call[AnyUser], _request: pb.RemoveRecoveryCodesRequest, *, remove: RemoveRecoveryCodes
) -> pb.RemoveRecoveryCodesResponse:
    """Removes them all; USER-506, USER-520."""
    human = await remove(human_of(call), actor=call.caller.user_id)
    return pb.RemoveRecoveryCodesResponse(details=changed_details_of(human))
