"""Users and their metadata as `portico.management.v1` reads them."""

from __future__ import annotations

from typing import Final

from portico_contracts.generated.portico.management.v1 import user_metadata_service_pb2 as metadata_pb
from portico_contracts.generated.portico.management.v1 import user_pb2 as v1_pb
from portico_contracts.generated.portico.management.v1 import user_queries_pb2 as pb

from portico_users.accounts.account import AnyUser
from portico_users.accounts.search import UserSearch
from portico_users.accounts.store import MongoAccounts
from portico_users.audit.sign_ins.last_sign_ins import LastSignIns
from portico_users.end_users.api.list_users import SORTING_COLUMNS, find_users
from portico_users.end_users.api.metadata import found_among
from portico_users.end_users.api.user_messages import NOTHING_MORE, Shown, end_user_json, user_json
from portico_users.end_users.commands.change_end_user import RemoveMetadata
from portico_users.end_users.end_user import EndUser, metadata_value
from portico_users.end_users.end_user import Metadata as Entry
from portico_users.end_users.inviters import Inviters
from portico_users.groups.inherited import Memberships
from portico_users.management_api.protobuf.details import DETAILS_V1, changed_details_of, details_json, details_of
from portico_users.management_api.protobuf.listing import (
    details_of_list,
    list_json,
    meets,
    page_out_of,
    text_condition,
)
from portico_users.management_api.protobuf.target_user import end_user_of, org_of
from portico_users.management_api.transport.call import Call, RequestContext, Target
from portico_users.management_api.transport.targets import USER_NOT_FOUND, user_of
from portico_users.management_api.transport.wire.json_types import JsonMessage, json_type
from portico_users.organizations.org import MongoOrgs, Org

_USER: Final = json_type(v1_pb.User)
_END_USER: Final = json_type(v1_pb.Human)
_EMAIL: Final = json_type(v1_pb.Email)
_PHONE: Final = json_type(v1_pb.Phone)
_GET_USER: Final = json_type(pb.GetUserByIDResponse)
_GET_USER_BY_LOGIN_NAME: Final = json_type(pb.GetUserByLoginNameGlobalResponse)
_LIST_USERS: Final = json_type(pb.ListUsersResponse)
_GET_PROFILE: Final = json_type(pb.GetHumanProfileResponse)
_GET_EMAIL: Final = json_type(pb.GetHumanEmailResponse)
_GET_PHONE: Final = json_type(pb.GetHumanPhoneResponse)


async def get_user_by_id(
    call: Call[AnyUser],
    _request: pb.GetUserByIDRequest,
    *,
    orgs: MongoOrgs,
    last_sign_ins: LastSignIns,
    inviters: Inviters,
    memberships: Memberships,
    search: UserSearch,
) -> JsonMessage:
    user = call.target.subject
    times = await last_sign_ins.of([user.id])
    sent = await inviters.invitations_of([user])
    names = (await memberships.names_of([user])).get(user.id, ())
    org = await org_of(call, user, orgs)
    no_way_in = await search.without_way_in(user)
    shown = Shown(times.get(user.id, 0.0), "", sent.get(user.id), names, no_way_in=no_way_in)
    return _GET_USER(user=v1_user(user, org, shown))


async def get_user_by_login_name_global(
    call: Call[tuple[str, ...] | None], request: pb.GetUserByLoginNameGlobalRequest, *, accounts: MongoAccounts
) -> JsonMessage:
    """Searches only organizations the caller may read, so that the response reveals nothing about others (MG-22)."""
    found = await accounts.find_by_login_name(request.login_name, call.target.subject)
    user, org = found or (None, None)
    if user is None or org is None:
        raise USER_NOT_FOUND.error()
    return _GET_USER_BY_LOGIN_NAME(user=v1_user(user, org))


async def list_users(
    call: Call[Org],
    request: pb.ListUsersRequest,
    *,
    search: UserSearch,
    last_sign_ins: LastSignIns,
    orgs: MongoOrgs,
    inviters: Inviters,
    memberships: Memberships,
) -> JsonMessage:
    org = call.target.subject
    found = await find_users(search, orgs, (org.id,), request)
    times = await last_sign_ins.of([user.id for user in found.users])
    sent = await inviters.invitations_of(found.users)
    names = await memberships.names_of(found.users)
    return list_json(
        _LIST_USERS,
        found.total,
        [
            v1_user(
                user,
                org,
                Shown(
                    times.get(user.id, 0.0),
                    "",
                    sent.get(user.id),
                    names.get(user.id, ()),
                    no_way_in=user.id in found.no_way_in,
                ),
            )
            for user in found.users
        ],
        sorting_column=SORTING_COLUMNS[request.sorting_column],
    )


async def get_human_profile(call: Call[AnyUser], _request: pb.GetHumanProfileRequest) -> JsonMessage:
    return _part(call, _GET_PROFILE, "profile")


async def get_human_email(call: Call[AnyUser], _request: pb.GetHumanEmailRequest) -> JsonMessage:
    return _part(call, _GET_EMAIL, "email")


async def get_human_phone(call: Call[AnyUser], _request: pb.GetHumanPhoneRequest) -> JsonMessage:
    return _part(call, _GET_PHONE, "phone")


def _part(call: Call[AnyUser], kind: type[JsonMessage], name: str) -> JsonMessage:
    user = end_user_of(call)
    details = details_json(DETAILS_V1, user)
    return kind(details=details, **{name: getattr(_end_user(end_user_json(user)), name)})


def v1_user(user: AnyUser, org: Org, shown: Shown = NOTHING_MORE) -> JsonMessage:
    known = user_json(user, org, shown)
    return _USER(
        id=known.user_id,
        details=details_json(DETAILS_V1, user),
        state=known.state,
        user_name=known.username,
        login_names=known.login_names,
        preferred_login_name=known.preferred_login_name,
        human=_end_user(known.human) if known.human else None,
        machine=known.machine,
    )


def _end_user(known: JsonMessage) -> JsonMessage:
    """The end user of `portico.user.v2` as this version has it."""
    phone = known.phone
    return _END_USER(
        profile=known.profile,
        email=_EMAIL(email=known.email.email, is_email_verified=known.email.is_verified),
        phone=_PHONE(phone=phone.phone, is_phone_verified=phone.is_verified) if phone else None,
        last_sign_in=known.last_sign_in,
        invitation=known.invitation,
        group_names=known.group_names,
        way_in=known.way_in,
    )


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
