"""Sets the phone number of a human, and proves it by a code the caller delivers: nothing here sends text messages."""

from __future__ import annotations

from dataclasses import replace

import msgspec
from portico_contracts.generated.portico.user.v2.user_contacts_pb2 import (
    RemovePhoneRequest,
    RemovePhoneResponse,
    ResendPhoneCodeRequest,
    ResendPhoneCodeResponse,
    SetPhoneRequest,
    SetPhoneResponse,
    VerifyPhoneRequest,
    VerifyPhoneResponse,
)
from portico_oauth.errors import ErrorCode, Kind

from portico_users.api.shared.committing import commit
from portico_users.api.shared.details import changed_details_of
from portico_users.api.transport.call import Call
from portico_users.api.user_v2.credentials.person import human_of
from portico_users.api.user_v2.users.chosen_codes import chosen_for_phone, org_of, refuse_unproven_choice
from portico_users.api.user_v2.users.contacts import with_phone, without_phone
from portico_users.api.user_v2.users.emails import NO_CODE
from portico_users.codes.challenge import Subject
from portico_users.codes.challenges import claim_of
from portico_users.commands.people.code_requests import with_code
from portico_users.commands.people.new_human import NO_TEXT_MESSAGES
from portico_users.directory.accounts.account import AnyUser
from portico_users.directory.people.changes import put_human
from portico_users.directory.people.human import Human

NO_PHONE = ErrorCode("USER-407", Kind.FAILED_PRECONDITION, "This user has no phone number.", "Set one first.")


async def set_phone(call: Call[AnyUser], request: SetPhoneRequest) -> SetPhoneResponse:
    """Sets the number, unverified unless the caller vouches for it.

    Raises:
        ServiceError: USER-006 for what is no number, USER-404 for a text message, USER-312, USER-606.
    """
    human, chosen = human_of(call), chosen_for_phone(request)
    refuse_unproven_choice(call, chosen)
    entry = with_phone(call.needs, put_human(human, human), request.phone, vouched=chosen.vouched, place="phone")
    planned = with_code(call.needs.codes, entry, await org_of(call), chosen.code_request)
    changed = await commit(call, planned.entry)
    return SetPhoneResponse(details=changed_details_of(changed), verification_code=planned.code or None)


async def resend_phone_code(call: Call[AnyUser], request: ResendPhoneCodeRequest) -> ResendPhoneCodeResponse:
    """Another code in the place of the one that waits, for the caller to deliver.

    Raises:
        ServiceError: USER-404 for a text message, USER-406 when no code waits, USER-312.
    """
    human, chosen = human_of(call), chosen_for_phone(request)
    if chosen.code_request is None:
        raise NO_TEXT_MESSAGES.error()
    refuse_unproven_choice(call, chosen)
    if not await call.needs.codes.is_pending(human.id, Subject.PHONE):
        raise NO_CODE.error()
    planned = with_code(call.needs.codes, put_human(human, human), await org_of(call), chosen.code_request)
    changed = await commit(call, planned.entry)
    return ResendPhoneCodeResponse(details=changed_details_of(changed), verification_code=planned.code or None)


async def verify_phone(call: Call[AnyUser], request: VerifyPhoneRequest) -> VerifyPhoneResponse:
    """Proves the number by a code, which is used up; USER-402 for every other code."""
    human = human_of(call)
    challenge = await call.needs.codes.guess(human, Subject.PHONE, request.verification_code)
    entry = put_human(human, msgspec.structs.replace(human, phone_verified=True))
    changed = await commit(call, replace(entry, claims=(claim_of(challenge),)))
    return VerifyPhoneResponse(details=changed_details_of(changed))


async def remove_phone(call: Call[AnyUser], _request: RemovePhoneRequest) -> RemovePhoneResponse:
    """Takes the number away; USER-407 when there is none."""
    human: Human = human_of(call)
    if not human.phone:
        raise NO_PHONE.error()
    changed = await commit(call, without_phone(call.needs, put_human(human, human)))
    return RemovePhoneResponse(details=changed_details_of(changed))
