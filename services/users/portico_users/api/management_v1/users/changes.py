"""What older clients change of humans: the same rules, the same events, other messages."""

from __future__ import annotations

from portico_contracts.generated.portico.management.v1 import human_pb2 as pb
from portico_contracts.generated.portico.user.v2.user_contacts_pb2 import SetEmailRequest, SetPhoneRequest
from portico_contracts.generated.portico.user.v2.user_pb2 import HumanProfile
from portico_oauth.errors import ErrorCode, Kind

from portico_users.api.management_v1.users.places import PROFILE, at_older_places
from portico_users.api.shared.committing import commit
from portico_users.api.shared.details import changed_details_of, details_of_answer
from portico_users.api.transport.call import Call
from portico_users.api.user_v2.credentials.person import human_of
from portico_users.api.user_v2.users.contacts import with_mail
from portico_users.api.user_v2.users.emails import commit_with_code, set_email
from portico_users.api.user_v2.users.person_values import profile_of
from portico_users.api.user_v2.users.phones import set_phone
from portico_users.codes.challenge import Subject
from portico_users.codes.user_codes import CodeRequest
from portico_users.commands.people.new_human import with_profile
from portico_users.directory.accounts.account import AnyUser
from portico_users.directory.people.changes import put_human
from portico_users.kernel.states import refuse_unchanged

HAS_PASSWORD = ErrorCode(
    "USER-890",
    Kind.FAILED_PRECONDITION,
    "This user has a password already.",
    "Send a link to reset it, if it is forgotten.",
)


async def update_human_profile(
    call: Call[AnyUser], request: pb.UpdateHumanProfileRequest
) -> pb.UpdateHumanProfileResponse:
    """Replaces who they are.

    Raises:
        ServiceError: USER-002 for what is no name, USER-702 when nothing would change, USER-506.
    """
    before = human_of(call)
    profile = HumanProfile(
        first_name=request.first_name,
        last_name=request.last_name,
        nick_name=request.nick_name,
        display_name=request.display_name,
        preferred_language=request.preferred_language,
        gender=request.gender,
    )
    after = with_profile(before, profile_of(profile))
    refuse_unchanged(before, after)
    with at_older_places(PROFILE):
        changed = await commit(call, put_human(before, after))
    return pb.UpdateHumanProfileResponse(details=changed_details_of(changed))


async def update_human_email(call: Call[AnyUser], request: pb.UpdateHumanEmailRequest) -> pb.UpdateHumanEmailResponse:
    """Sets the address, and mails a code unless the caller vouches for it. Raises as `set_email`."""
    vouched = request.is_email_verified or None
    answer = await set_email(call, SetEmailRequest(email=request.email, is_verified=vouched))
    return pb.UpdateHumanEmailResponse(details=details_of_answer(answer.details))


async def update_human_phone(call: Call[AnyUser], request: pb.UpdateHumanPhoneRequest) -> pb.UpdateHumanPhoneResponse:
    """Sets the number, unverified unless the caller vouches for it. Raises as `set_phone`."""
    vouched = request.is_phone_verified or None
    answer = await set_phone(call, SetPhoneRequest(phone=request.phone, is_verified=vouched))
    return pb.UpdateHumanPhoneResponse(details=details_of_answer(answer.details))


async def resend_human_initialization(
    call: Call[AnyUser], request: pb.ResendHumanInitializationRequest
) -> pb.ResendHumanInitializationResponse:
    """Mails the link by which the first password is chosen, to another address if one is given.

    Raises:
        ServiceError: USER-890 for who has a password, USER-900 for an address the user set just now, USER-005 for what is no
            address, USER-062, USER-064, USER-506, USER-606.
    """
    human = human_of(call)
    if human.has_password:
        raise HAS_PASSWORD.error()
    entry = put_human(human, human)
    if request.email not in ("", human.email):
        entry = with_mail(call, entry, request.email, vouched=False, place="email")
    changed, _ = await commit_with_code(call, entry, CodeRequest(Subject.PASSWORD))
    return pb.ResendHumanInitializationResponse(details=changed_details_of(changed))
