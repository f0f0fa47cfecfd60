"""Invitations of people who have nothing to sign in with yet."""

from __future__ import annotations

from dataclasses import replace

from portico_contracts.generated.portico.user.v2 import invites_pb2 as pb
from portico_oauth.errors import ErrorCode, Kind

from portico_users.api.shared.committing import commit
from portico_users.api.shared.details import changed_details_of
from portico_users.api.transport.call import Call
from portico_users.api.user_v2.credentials.person import human_of
from portico_users.api.user_v2.users.emails import NO_CODE, commit_with_code
from portico_users.codes.challenge import Purpose, Subject
from portico_users.codes.challenges import claim_of
from portico_users.codes.user_codes import CodeRequest
from portico_users.directory.accounts.account import AnyUser
from portico_users.directory.people.changes import put_human
from portico_users.directory.people.email_address import with_proof
from portico_users.directory.people.human import Human, can_authenticate
from portico_users.kernel.names import INVALID_NAME, is_name
from portico_users.kernel.problems import at

CAN_SIGN_IN = ErrorCode(
    "USER-940",
    Kind.FAILED_PRECONDITION,
    "This user has something to sign in with already.",
    "Invite only who has no password, no passkey and no link to an identity provider.",
)


async def create_invite_code(call: Call[AnyUser], request: pb.CreateInviteCodeRequest) -> pb.CreateInviteCodeResponse:
    """A code that proves the address and lets the first password be set, mailed or returned.

    Raises:
        ServiceError: USER-940 for who can sign in; USER-331, USER-062, USER-064, USER-606; USER-002 for what is no name.
    """
    human = _invited(call)
    if request.WhichOneof("verification") == "return_code":
        code_request = CodeRequest(Subject.INVITE, returned=True)
    else:
        code_request = _mailed(request.send_code, await _earlier(call, human))
    changed, code = await commit_with_code(call, put_human(human, human), code_request)
    return pb.CreateInviteCodeResponse(details=changed_details_of(changed), invite_code=code or None)


async def resend_invite_code(call: Call[AnyUser], _request: pb.ResendInviteCodeRequest) -> pb.ResendInviteCodeResponse:
    """Mails another code like the one that was mailed.

    Raises:
        ServiceError: USER-406 where none waits that was mailed; USER-940, USER-331, USER-062, USER-064.
    """
    human = _invited(call)
    earlier = await _earlier(call, human)
    if earlier is None:
        raise NO_CODE.error()
    changed, _ = await commit_with_code(call, put_human(human, human), _mailed(pb.SendInviteCode(), earlier))
    return pb.ResendInviteCodeResponse(details=changed_details_of(changed))


async def verify_invite_code(call: Call[AnyUser], request: pb.VerifyInviteCodeRequest) -> pb.VerifyInviteCodeResponse:
    """Proves the address by the code, which is used up; USER-941 for every other code."""
    human = human_of(call)
    challenge = await call.needs.codes.guess(human, Subject.INVITE, request.verification_code)
    entry = put_human(human, with_proof(human, mailed=bool(challenge.purpose.to)))
    changed = await commit(call, replace(entry, claims=(claim_of(challenge),)))
    return pb.VerifyInviteCodeResponse(details=changed_details_of(changed))


def _invited(call: Call[AnyUser]) -> Human:
    human = human_of(call)
    if can_authenticate(human):
        raise CAN_SIGN_IN.error()
    return human


async def _earlier(call: Call[AnyUser], human: Human) -> Purpose | None:
    """The invitation that was mailed and waits, if any."""
    purpose = await call.needs.codes.find_pending(human.id, Subject.INVITE)
    return purpose if purpose and purpose.to else None


def _mailed(wanted: pb.SendInviteCode, earlier: Purpose | None) -> CodeRequest:
    application = wanted.application_name or (earlier.application if earlier else "")
    template = wanted.url_template or (earlier.url_template if earlier else "")
    if application and not is_name(application):
        raise at("sendCode.applicationName", INVALID_NAME.error())
    return CodeRequest(Subject.INVITE, url_template=template, application=application)
