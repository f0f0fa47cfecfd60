"""Reads one user, and lists users."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Final

from portico_contracts.generated.portico.management.v1 import user_queries_pb2 as user_queries
from portico_contracts.generated.portico.user.v2 import user_queries_pb2
from portico_contracts.generated.portico.user.v2.user_service_pb2 import (
    GetUserByIDRequest,
    GetUserByIDResponse,
    ListUsersRequest,
    ListUsersResponse,
)

from portico_users.accounts.account import AnyUser
from portico_users.accounts.search import FoundUsers, UserSearch
from portico_users.applications.client_keys.secret_uses import SecretUses
from portico_users.audit.sign_ins.last_sign_ins import LastSignIns
from portico_users.end_users.api.user_conditions import conditions_of
from portico_users.end_users.api.user_messages import Shown, user_json
from portico_users.end_users.end_user import EndUser
from portico_users.end_users.inviters import Inviters
from portico_users.end_users.marks import LAST_SIGN_IN
from portico_users.groups.inherited import Memberships
from portico_users.management_api.protobuf.listing import list_json
from portico_users.management_api.transport.call import Call
from portico_users.management_api.transport.targets import USER_NOT_FOUND, find_org
from portico_users.management_api.transport.wire.json_types import JsonMessage, json_type, names_of
from portico_users.notifications.email.delivery_failures import DeliveryFailures
from portico_users.organizations.org import MongoOrgs
from portico_users.service_users.service_user import ServiceUser
from portico_users.storage.listing import Page

DEFAULT_LIMIT: Final = 100

SORTING_COLUMNS: Final = names_of(user_queries_pb2.UserFieldName)

_GET_USER_BY_ID: Final = json_type(GetUserByIDResponse)
_LIST_USERS: Final = json_type(ListUsersResponse)

_SORT_BY: Final[dict[int, str]] = {
    user_queries_pb2.USER_FIELD_NAME_UNSPECIFIED: "created",
    user_queries_pb2.USER_FIELD_NAME_USER_NAME: "nameKey",
    user_queries_pb2.USER_FIELD_NAME_FIRST_NAME: "firstName",
    user_queries_pb2.USER_FIELD_NAME_LAST_NAME: "lastName",
    user_queries_pb2.USER_FIELD_NAME_NICK_NAME: "nickName",
    user_queries_pb2.USER_FIELD_NAME_DISPLAY_NAME: "displayName",
    user_queries_pb2.USER_FIELD_NAME_EMAIL: "email",
    user_queries_pb2.USER_FIELD_NAME_STATE: "state",
    user_queries_pb2.USER_FIELD_NAME_TYPE: "type",
    user_queries_pb2.USER_FIELD_NAME_CREATION_DATE: "created",
    user_queries_pb2.USER_FIELD_NAME_LAST_SIGN_IN: LAST_SIGN_IN,
}


async def list_users(
    call: Call[tuple[str, ...] | None],
    request: ListUsersRequest,
    *,
    search: UserSearch,
    last_sign_ins: LastSignIns,
    orgs: MongoOrgs,
    inviters: Inviters,
    memberships: Memberships,
) -> JsonMessage:
    found = await find_users(search, orgs, call.target.subject, request)
    known = {call.caller.org.id: call.caller.org} if call.caller.org else {}
    owners = {user.org_id for user in found.users} - known.keys()
    times, owning = await last_sign_ins.with_orgs([user.id for user in found.users], owners)
    known |= owning
    sent = await inviters.invitations_of(found.users)
    names = await memberships.names_of(found.users)
    return list_json(
        _LIST_USERS,
        found.total,
        [
            user_json(
                user,
                known[user.org_id],
                Shown(
                    times.get(user.id, 0.0),
                    "",
                    sent.get(user.id),
                    names.get(user.id, ()),
                    no_way_in=user.id in found.no_way_in,
                ),
            )
            for user in found.users
            if user.org_id in known
        ],
        sorting_column=SORTING_COLUMNS[request.sorting_column],
    )


async def find_users(
    search: UserSearch,
    orgs: MongoOrgs,
    org_ids: Sequence[str] | None,
    request: ListUsersRequest | user_queries.ListUsersRequest,
) -> FoundUsers:
    page = Page(
        offset=request.query.offset,
        limit=request.query.limit or DEFAULT_LIMIT,
        sort_by=_SORT_BY[request.sorting_column],
        ascending=request.query.asc,
    )
    return await search.search(org_ids, await conditions_of(request.queries, orgs), page)


async def get_user_by_id(
    call: Call[AnyUser],
    _request: GetUserByIDRequest,
    *,
    orgs: MongoOrgs,
    last_sign_ins: LastSignIns,
    failures: DeliveryFailures,
    inviters: Inviters,
    memberships: Memberships,
    secret_uses: SecretUses,
    search: UserSearch,
) -> JsonMessage:
    """The user, in whatever state."""
    user = call.target.subject
    org = await find_org(call.caller, user.org_id, orgs)
    if org is None:
        raise USER_NOT_FOUND.error(user=user.id)
    address = user.email if isinstance(user, EndUser) else ""
    hashes = [user.secret_hash] if isinstance(user, ServiceUser) and user.secret_hash else []
    times, failure, sent, used = await asyncio.gather(
        last_sign_ins.of([user.id]),
        failures.find(user.id, address),
        inviters.invitations_of([user]),
        secret_uses.last_uses(user.id, hashes),
    )
    names = (await memberships.names_of([user])).get(user.id, ())
    secret_used = next(iter(used.values()), 0.0)
    no_way_in = await search.without_way_in(user)
    shown = user_json(
        user, org, Shown(times.get(user.id, 0.0), failure, sent.get(user.id), names, secret_used, no_way_in)
    )
    return _GET_USER_BY_ID(details=shown.details, user=shown)
