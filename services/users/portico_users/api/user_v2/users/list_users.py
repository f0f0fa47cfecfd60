"""Reads one user, and lists users."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from portico_contracts.generated.portico.management.v1 import user_queries_pb2 as user_queries
from portico_contracts.generated.portico.management.v1.user_queries_pb2 import UserQuery
from portico_contracts.generated.portico.user.v2 import user_pb2, user_queries_pb2
from portico_contracts.generated.portico.user.v2.user_queries_pb2 import SearchQuery
from portico_contracts.generated.portico.user.v2.user_service_pb2 import (
    GetUserByIDRequest,
    GetUserByIDResponse,
    ListUsersRequest,
    ListUsersResponse,
)

from portico_users.api.shared.listing import list_json, text_condition
from portico_users.api.transport.call import Call
from portico_users.api.transport.targets import USER_NOT_FOUND, find_org
from portico_users.api.transport.wire.json_types import JsonMessage, json_type, names_of
from portico_users.api.user_v2.users.user_messages import STATES, user_json
from portico_users.kernel.listing import Page
from portico_users.resources.accounts.account import AnyUser
from portico_users.resources.accounts.search import (
    Condition,
    FoundUsers,
    UserSearch,
    ValueCondition,
    WordsCondition,
)
from portico_users.resources.organizations.org import MongoOrgs
from portico_users.sign_ins.last_sign_ins import LastSignIns

DEFAULT_LIMIT: Final = 100

SORTING_COLUMNS: Final = names_of(user_queries_pb2.UserFieldName)

_GET_USER_BY_ID: Final = json_type(GetUserByIDResponse)

_STATE_NAMES: Final = {number: state.value for state, number in STATES.items()}
_TYPE_NAMES: Final = {user_queries_pb2.TYPE_HUMAN: "human", user_queries_pb2.TYPE_MACHINE: "machine"}

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
}


async def list_users(
    call: Call[tuple[str, ...] | None], request: ListUsersRequest, *, search: UserSearch, last_sign_ins: LastSignIns
) -> JsonMessage:
    found = await find_users(search, call.target.subject, request)
    known = {call.caller.org.id: call.caller.org} if call.caller.org else {}
    owners = {user.org_id for user in found.users} - known.keys()
    times, orgs = await last_sign_ins.with_orgs([user.id for user in found.users], owners)
    known |= orgs
    return list_json(
        ListUsersResponse,
        found.total,
        [user_json(user, known[user.org_id], times.get(user.id, 0.0)) for user in found.users if user.org_id in known],
        sorting_column=SORTING_COLUMNS[request.sorting_column],
    )


async def find_users(
    search: UserSearch, org_ids: Sequence[str] | None, request: ListUsersRequest | user_queries.ListUsersRequest
) -> FoundUsers:
    page = Page(
        offset=request.query.offset,
        limit=request.query.limit or DEFAULT_LIMIT,
        sort_by=_SORT_BY[request.sorting_column],
        ascending=request.query.asc,
    )
    return await search.search(org_ids, [condition_of(query) for query in request.queries], page)


def condition_of(query: SearchQuery | UserQuery) -> Condition:
    kind = query.WhichOneof("query") or ""
    return _CONDITIONS[kind](getattr(query, kind))


def _text(member: str, field: str) -> Callable[..., Condition]:
    return lambda query: text_condition(member, getattr(query, field), query.method)


def _state(query: user_queries_pb2.StateQuery) -> Condition:
    return ValueCondition("state", (_STATE_NAMES.get(query.state, user_pb2.UserState.Name(query.state)),))


_CONDITIONS: Final[dict[str, Callable[..., Condition]]] = {
    "user_name_query": _text("userName", "user_name"),
    "first_name_query": _text("firstName", "first_name"),
    "last_name_query": _text("lastName", "last_name"),
    "nick_name_query": _text("nickName", "nick_name"),
    "display_name_query": _text("displayName", "display_name"),
    "email_query": _text("email", "email_address"),
    "state_query": _state,
    "type_query": lambda query: ValueCondition("type", (_TYPE_NAMES[query.type],)),
    "in_user_ids_query": lambda query: ValueCondition("_id", tuple(query.user_ids)),
    "words_query": lambda query: WordsCondition(query.text),
    "organization_id_query": lambda query: ValueCondition("orgId", (query.organization_id,)),
}


async def get_user_by_id(
    call: Call[AnyUser], _request: GetUserByIDRequest, *, orgs: MongoOrgs, last_sign_ins: LastSignIns
) -> JsonMessage:
    """The user, in whatever state."""
    user = call.target.subject
    org = await find_org(call.caller, user.org_id, orgs)
    if org is None:
        raise USER_NOT_FOUND.error(user=user.id)
    times = await last_sign_ins.of([user.id])
    shown = user_json(user, org, times.get(user.id, 0.0))
    answer: JsonMessage = _GET_USER_BY_ID(details=shown.details, user=shown)
    return answer
