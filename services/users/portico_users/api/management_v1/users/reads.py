"""Users and their metadata as `portico.management.v1` reads them."""

from __future__ import annotations

from portico_contracts.generated.portico.management.v1 import user_metadata_service_pb2 as metadata_pb
from portico_contracts.generated.portico.management.v1 import user_pb2 as v1_pb
from portico_contracts.generated.portico.management.v1 import user_queries_pb2 as pb
from portico_contracts.generated.portico.management.v1.user_pb2 import Human as HumanMessage
from portico_contracts.generated.portico.user.v2 import user_pb2

from portico_users.api.shared.details import changed_details_of, details_of
from portico_users.api.shared.listing import details_of_list, meets, page_out_of, text_condition
from portico_users.api.transport.call import Call, RequestContext, Target
from portico_users.api.transport.targets import USER_NOT_FOUND, user_of
from portico_users.api.user_v2.credentials.target_user import end_user_of, org_of
from portico_users.api.user_v2.users.list_users import find_users
from portico_users.api.user_v2.users.metadata import found_among
from portico_users.api.user_v2.users.user_messages import human_message, user_message
from portico_users.commands.end_users.change_end_user import RemoveMetadata
from portico_users.resources.accounts.account import AnyUser
from portico_users.resources.accounts.search import UserSearch
from portico_users.resources.accounts.store import MongoAccounts
from portico_users.resources.end_users.end_user import EndUser, metadata_value
from portico_users.resources.end_users.end_user import Metadata as Entry
from portico_users.resources.organizations.org import MongoOrgs, Org
from portico_users.sign_ins.last_sign_ins import LastSignIns


async def get_user_by_id(
    call: Call[AnyUser], _request: pb.GetUserByIDRequest, *, orgs: MongoOrgs, last_sign_ins: LastSignIns
) -> pb.GetUserByIDResponse:
    user = call.target.subject
    times = await last_sign_ins.of([user.id])
    return pb.GetUserByIDResponse(user=v1_user(user, await org_of(call, user, orgs), times.get(user.id, 0.0)))


async def get_user_by_login_name_global(
    call: Call[tuple[str, ...] | None], request: pb.GetUserByLoginNameGlobalRequest, *, accounts: MongoAccounts
) -> pb.GetUserByLoginNameGlobalResponse:
    """Searches only organizations the caller may read, so that the response reveals nothing about others (MG-22)."""
    found = await accounts.find_by_login_name(request.login_name, call.target.subject)
    user, org = found or (None, None)
    if user is None or org is None:
        raise USER_NOT_FOUND.error()
    return pb.GetUserByLoginNameGlobalResponse(user=v1_user(user, org))


async def list_users(
    call: Call[Org], request: pb.ListUsersRequest, *, search: UserSearch, last_sign_ins: LastSignIns
) -> pb.ListUsersResponse:
    org = call.target.subject
    found = await find_users(search, (org.id,), request)
    times = await last_sign_ins.of([user.id for user in found.users])
    return pb.ListUsersResponse(
        details=details_of_list(found.total),
        sorting_column=request.sorting_column,
        result=[v1_user(user, org, times.get(user.id, 0.0)) for user in found.users],
    )


async def get_human_profile(call: Call[AnyUser], _request: pb.GetHumanProfileRequest) -> pb.GetHumanProfileResponse:
    return pb.GetHumanProfileResponse(details=details_of(call.target.subject), profile=_end_user(call).profile)


async def get_human_email(call: Call[AnyUser], _request: pb.GetHumanEmailRequest) -> pb.GetHumanEmailResponse:
    return pb.GetHumanEmailResponse(details=details_of(call.target.subject), email=_end_user(call).email)


async def get_human_phone(call: Call[AnyUser], _request: pb.GetHumanPhoneRequest) -> pb.GetHumanPhoneResponse:
    human = _end_user(call)
    phone = human.phone if human.HasField("phone") else None
    return pb.GetHumanPhoneResponse(details=details_of(call.target.subject), phone=phone)


def _end_user(call: Call[AnyUser]) -> HumanMessage:
    return v1_human(human_message(end_user_of(call)))


def v1_user(user: AnyUser, org: Org, last_sign_in: float = 0.0) -> v1_pb.User:
    known = user_message(user, org, last_sign_in)
    message = v1_pb.User(
        id=known.user_id,
        details=details_of(user),
        state=known.state,
        user_name=known.username,
        login_names=known.login_names,
        preferred_login_name=known.preferred_login_name,
    )
    if known.HasField("machine"):
        message.machine.CopyFrom(known.machine)
    else:
        message.human.CopyFrom(v1_human(known.human))
    return message


def v1_human(known: user_pb2.HumanUser) -> v1_pb.Human:
    email = v1_pb.Email(email=known.email.email, is_email_verified=known.email.is_verified)
    message = v1_pb.Human(profile=known.profile, email=email)
    if known.HasField("phone"):
        message.phone.CopyFrom(v1_pb.Phone(phone=known.phone.phone, is_phone_verified=known.phone.is_verified))
    if known.HasField("last_sign_in"):
        message.last_sign_in.CopyFrom(known.last_sign_in)
    return message


AnyRequest = (
    metadata_pb.ListMetadataRequest
    | metadata_pb.GetMetadataRequest
    | metadata_pb.SetMetadataRequest
    | metadata_pb.BulkSetMetadataRequest
    | metadata_pb.RemoveMetadataRequest
    | metadata_pb.BulkRemoveMetadataRequest
)


async def user_with_metadata(
    context: RequestContext, request: AnyRequest, *, accounts: MongoAccounts
) -> Target[AnyUser]:
    return await user_of(context, request.id, accounts)


async def list_metadata(
    call: Call[AnyUser], request: metadata_pb.ListMetadataRequest
) -> metadata_pb.ListMetadataResponse:
    human = end_user_of(call)
    conditions = [text_condition("key", one.key_query.key, one.key_query.method) for one in request.queries]
    found = [entry for entry in human.metadata if all(meets(condition, entry.key) for condition in conditions)]
    page = page_out_of(found, request.query)
    return metadata_pb.ListMetadataResponse(
        details=details_of_list(len(found)), result=[_message(human, entry) for entry in page]
    )


async def get_metadata(call: Call[AnyUser], request: metadata_pb.GetMetadataRequest) -> metadata_pb.GetMetadataResponse:
    human = end_user_of(call)
    return metadata_pb.GetMetadataResponse(metadata=_message(human, found_among(human.metadata, request.key)))


async def remove_metadata(
    call: Call[AnyUser], request: metadata_pb.RemoveMetadataRequest, *, remove_metadata: RemoveMetadata
) -> metadata_pb.RemoveMetadataResponse:
    human = end_user_of(call)
    found_among(human.metadata, request.key)
    changed = await remove_metadata(human, [request.key], actor=call.caller.user_id)
    return metadata_pb.RemoveMetadataResponse(details=changed_details_of(changed))


def _message(human: EndUser, entry: Entry) -> metadata_pb.Metadata:
    """Uses the details of the user: entries have no sequence."""
    return metadata_pb.Metadata(details=details_of(human), key=entry.key, value=metadata_value(entry))
