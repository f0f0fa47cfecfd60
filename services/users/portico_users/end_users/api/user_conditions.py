"""Conditions of lists of users, which may be combined with and, or, not."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final

from portico_contracts.generated.portico.management.v1.user_queries_pb2 import UserQuery
from portico_contracts.generated.portico.user.v2 import user_pb2, user_queries_pb2
from portico_contracts.generated.portico.user.v2.user_queries_pb2 import LoginNameQuery, SearchQuery
from portico_contracts.generated.portico.v1 import object_pb2
from portico_oauth.errors import ServiceError, Violation

from portico_users.accounts.search import (
    OF_GROUP,
    CombinedCondition,
    Condition,
    MarkCondition,
    NeverSignedIn,
    PlainCondition,
    RoleCondition,
    TextCondition,
    ValueCondition,
    WordsCondition,
)
from portico_users.end_users.api.user_messages import STATES
from portico_users.end_users.idp_links import link_prefix
from portico_users.end_users.marks import Mark
from portico_users.management_api.protobuf.listing import text_condition
from portico_users.organizations.org import MongoOrgs
from portico_users.values.json_text import INVALID_FIELDS
from portico_users.values.names import split_address

MOST_CONDITIONS: Final = 100
"""In all, of one list."""

DEEPEST: Final = 5
"""Levels of and, or and not."""

TOO_MANY_CONDITIONS: Final = "Use at most 100 conditions in all, and nest at most 5."
NOT_BY_WORDS: Final = "A condition by words cannot be combined with and, or, not."
NOT_COMPARED: Final = "A login name can equal a text, or start with one that has no @."

Query = SearchQuery | UserQuery
OrgIds = Mapping[str, str]
"""Ids of organizations by domain."""

_STATE_NAMES: Final = {number: state.value for state, number in STATES.items()}
_TYPE_NAMES: Final = {user_queries_pb2.TYPE_HUMAN: "human", user_queries_pb2.TYPE_MACHINE: "machine"}
_COMBINED: Final = {"and_query": "$and", "or_query": "$or", "not_query": "$nor"}
_EQUAL: Final = (object_pb2.TEXT_QUERY_METHOD_EQUALS, object_pb2.TEXT_QUERY_METHOD_EQUALS_IGNORE_CASE)
_STARTING: Final = (
    object_pb2.TEXT_QUERY_METHOD_STARTS_WITH,
    object_pb2.TEXT_QUERY_METHOD_STARTS_WITH_IGNORE_CASE,
)


async def conditions_of(queries: Sequence[Query], orgs: MongoOrgs) -> list[Condition]:
    """Raises USER-303 for more conditions than `MOST_CONDITIONS`, and for those that cannot be combined."""
    inner = list(_walk(queries, 0))
    if len(inner) > MOST_CONDITIONS:
        raise _refused(TOO_MANY_CONDITIONS)
    if any(kind == "words_query" and depth for kind, _query, depth in inner):
        raise _refused(NOT_BY_WORDS)
    names = [getattr(query, kind).login_name for kind, query, _depth in inner if kind == "login_name_query"]
    domains = {domain for name in names if (domain := split_address(name)[1])}
    found = {domain: await orgs.find_by_domain(domain) for domain in domains}
    org_ids = {domain: org.id for domain, org in found.items() if org}
    return [_condition(query, org_ids) for query in queries]


def _walk(queries: Sequence[Query], depth: int) -> Iterator[tuple[str, Query, int]]:
    if depth > DEEPEST:
        raise _refused(TOO_MANY_CONDITIONS)
    for query in queries:
        kind = query.WhichOneof("query") or ""
        yield kind, query, depth
        if kind in _COMBINED:
            yield from _walk(_inner(query, kind), depth + 1)


def _inner(query: Query, kind: str) -> Sequence[SearchQuery]:
    combined = getattr(query, kind)
    return [combined.query] if kind == "not_query" else combined.queries


def _refused(text: str) -> ServiceError:
    return INVALID_FIELDS.error(violations=(Violation("queries", text),))


def _condition(query: Query, org_ids: OrgIds) -> Condition:
    if query.WhichOneof("query") == "words_query":
        return WordsCondition(query.words_query.text)
    return _plain(query, org_ids)


def _plain(query: Query, org_ids: OrgIds) -> PlainCondition:
    kind = query.WhichOneof("query") or ""
    if kind in _COMBINED:
        return CombinedCondition(_COMBINED[kind], tuple(_plain(one, org_ids) for one in _inner(query, kind)))
    if kind == "login_name_query":
        return _login_name(getattr(query, kind), org_ids)
    return SIMPLE_CONDITIONS[kind](getattr(query, kind))


def _login_name(query: LoginNameQuery, org_ids: OrgIds) -> PlainCondition:
    """The user name, or the user name with a domain of the organization."""
    if query.method in _STARTING and "@" not in query.login_name:
        return text_condition("userName", query.login_name, query.method)
    if query.method not in _EQUAL:
        raise _refused(NOT_COMPARED)
    local, domain = split_address(query.login_name)
    named: list[PlainCondition] = [text_condition("userName", query.login_name, query.method)]
    if domain in org_ids:
        org = ValueCondition("orgId", (org_ids[domain],))
        named.append(CombinedCondition("$and", (text_condition("userName", local, query.method), org)))
    return CombinedCondition("$or", tuple(named))


def _text(member: str, field: str) -> Callable[..., TextCondition]:
    return lambda query: text_condition(member, getattr(query, field), query.method)


_SITUATIONS: Final[dict[int, PlainCondition]] = {
    user_queries_pb2.USER_SITUATION_INVITED: MarkCondition(Mark.INVITED),
    user_queries_pb2.USER_SITUATION_WITH_WAY_IN: MarkCondition(Mark.WITH_WAY_IN),
    user_queries_pb2.USER_SITUATION_WITHOUT_WAY_IN: MarkCondition(Mark.WITHOUT_WAY_IN),
    user_queries_pb2.USER_SITUATION_NEVER_SIGNED_IN: NeverSignedIn(),
    user_queries_pb2.USER_SITUATION_WITHOUT_SECOND_FACTOR: MarkCondition(Mark.WITHOUT_FACTOR),
}


def _state(query: user_queries_pb2.StateQuery) -> PlainCondition:
    return ValueCondition("state", (_STATE_NAMES.get(query.state, user_pb2.UserState.Name(query.state)),))


SIMPLE_CONDITIONS: Final[dict[str, Callable[..., PlainCondition]]] = {
    "user_name_query": _text("userName", "user_name"),
    "first_name_query": _text("firstName", "first_name"),
    "last_name_query": _text("lastName", "last_name"),
    "nick_name_query": _text("nickName", "nick_name"),
    "display_name_query": _text("displayName", "display_name"),
    "email_query": _text("email", "email_address"),
    "phone_query": _text("phone", "number"),
    "state_query": _state,
    "type_query": lambda query: ValueCondition("type", (_TYPE_NAMES[query.type],)),
    "in_user_ids_query": lambda query: ValueCondition("_id", tuple(query.user_ids)),
    "in_user_emails_query": lambda query: ValueCondition("email", tuple(query.user_emails)),
    "organization_id_query": lambda query: ValueCondition("orgId", (query.organization_id,)),
    "group_id_query": lambda query: ValueCondition(OF_GROUP, (query.group_id,)),
    "role_query": lambda query: RoleCondition(query.project_id, query.role_key),
    "situation_query": lambda query: _SITUATIONS[query.situation],
    "external_id_query": lambda query: ValueCondition("linkKeys", (link_prefix(query.idp_id) + query.external_id,)),
}
