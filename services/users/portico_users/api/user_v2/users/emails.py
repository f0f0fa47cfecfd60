"""Sets the mail address of a human, and proves it by a code."""

from __future__ import annotations

from dataclasses import replace

from portico_contracts.generated.portico.user.v2.user_contacts_pb2 import (
    ResendEmailCodeRequest,
    ResendEmailCodeResponse,
    SendEmailCodeRequest,
    SendEmailCodeResponse,
    SetEmailRequest,
    SetEmailResponse,
    VerifyEmailRequest,
    VerifyEmailResponse,
)
from portico_oauth.errors import ErrorCode, Kind

from portico_users.api.shared.committing import commit
from portico_users.api.shared.details import changed_details_of
from portico_users.api.transport.call import Call
from portico_users.api.transport.needs import Needs
from portico_users.api.user_v2.credentials.person import human_of
from portico_users.api.user_v2.users.chosen_codes import chosen_for_mail, org_of, refuse_unproven_choice
from portico_users.api.user_v2.users.contacts import with_mail
from portico_users.codes.challenge import Subject
from portico_users.codes.challenges import claim_of
from portico_users.codes.user_codes import CodeRequest
from portico_users.commands.people.code_requests import with_code
from portico_users.directory.accounts.account import AnyUser
from portico_users.directory.people.changes import put_human
from portico_users.directory.people.email_address import with_proof
from portico_users.directory.people.human import Human
from portico_users.kernel.entry import Entry

VERIFIED_ALREADY = ErrorCode("USER-405", Kind.FAILED_PRECONDITION, "This is verified already.", "Go on without a code.")
NO_CODE = ErrorCode(
    "USER-406", Kind.FAILED_PRECONDITION, "There is no code that waits to be used.", "Ask for a new one."
)


async def set_email(call: Call[AnyUser], request: SetEmailRequest) -> SetEmailResponse:
    """Sets the address, and makes a code for it unless the caller vouches for it.

    Raises:
        ServiceError: USER-005 for what is no address, USER-331, USER-312, USER-062, USER-064, USER-606.
    """
    human, chosen = human_of(call), chosen_for_mail(call.needs.codes, request)
    refuse_unproven_choice(call, chosen)
    entry = with_mail(call, put_human(human, human), request.email, vouched=chosen.vouched, place="email")
    changed, code = await commit_with_code(call, entry, chosen.code_request)
    return SetEmailResponse(details=changed_details_of(changed), verification_code=code or None)


async def resend_email_code(call: Call[AnyUser], request: ResendEmailCodeRequest) -> ResendEmailCodeResponse:
    """Another code in the place of the one that waits; USER-406 when none does. Raises also as `send_email_code`."""
    human = human_of(call)
    if not await call.needs.codes.is_pending(human.id, Subject.MAIL):
        raise NO_CODE.error()
    changed, code = await _send(call, human, request)
    return ResendEmailCodeResponse(details=changed_details_of(changed), verification_code=code or None)


async def send_email_code(call: Call[AnyUser], request: SendEmailCodeRequest) -> SendEmailCodeResponse:
    """A code for the address.

    Raises:
        ServiceError: USER-405 for an address that is verified, USER-331, USER-312, USER-062, USER-064, USER-606.
    """
    changed, code = await _send(call, human_of(call), request)
    return SendEmailCodeResponse(details=changed_details_of(changed), verification_code=code or None)


async def verify_email(call: Call[AnyUser], request: VerifyEmailRequest) -> VerifyEmailResponse:
    """Proves the address by a code, which is used up; USER-402 for every other code."""
    human = human_of(call)
    challenge = await call.needs.codes.guess(human, Subject.MAIL, request.verification_code)
    entry = put_human(human, with_proof(human, mailed=bool(challenge.purpose.to)))
    changed = await commit(call, replace(entry, claims=(claim_of(challenge),)))
    return VerifyEmailResponse(details=changed_details_of(changed))


async def _send(
    call: Call[AnyUser], human: Human, request: ResendEmailCodeRequest | SendEmailCodeRequest
) -> tuple[Human, str]:
    if human.email_verified:
        raise VERIFIED_ALREADY.error()
    chosen = chosen_for_mail(call.needs.codes, request)
    refuse_unproven_choice(call, chosen)
    # Whoever asks for nothing but a mail is told where none can be sent.
    return await commit_with_code(call, put_human(human, human), chosen.code_request or CodeRequest(Subject.MAIL))


async def commit_with_code(
    call: Call[AnyUser], entry: Entry[Human], code_request: CodeRequest | None
) -> tuple[Human, str]:
    """Commits the entry with the code that is wanted, which is returned or counted as a mail.

    Raises:
        ServiceError: as `UserCodes.plan`; USER-062 after too many mails to the address.
    """
    planned = with_code(call.needs.codes, entry, await org_of(call), code_request)
    await reserve_mail(call.needs, entry.after, code_request)
    return await commit(call, planned.entry), planned.code


async def reserve_mail(needs: Needs, human: Human, code_request: CodeRequest | None) -> None:
    """Counts the mail a wish leads to; USER-062 when there were too many to the address."""
    if code_request and not code_request.returned:
        await needs.codes.reserve_mail(human.email)
