"""Lists: pages by index (RFC 7644 section 3.4.2.4) and by cursor (RFC 9865), and what filters ask of the store."""

from __future__ import annotations

import base64
import re
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, NamedTuple, TypeVar

import msgspec
from portico_oauth.opaque import b64url

from portico_users.scim.protocol.attributes import CORE_GROUP, CORE_USER, Resource
from portico_users.scim.protocol.errors import INVALID_CURSOR, INVALID_FILTER, INVALID_VALUE
from portico_users.scim.protocol.filters import Comparison, Either, Every, Filter, Neither, OfElement, Value
from portico_users.storage.entry import Document
from portico_users.storage.listing import Page
from portico_users.storage.reader import Reader
from portico_users.values.names import MAX_LENGTH, canonical
from portico_users.values.problems import at
from portico_users.values.provisioned import SCIM_NAME, Provisioned, external_key, sent_name_key
from portico_users.values.records import Record

DEFAULT_COUNT: Final = 100
MAX_COUNT: Final = 200
MAX_INDEX: Final = 10_000_000
LIST: Final = "urn:ietf:params:scim:api:messages:2.0:ListResponse"

_SORT: Final = "nameKey"
_PREFIXES: Final = tuple(f"{one.lower()}:" for one in (CORE_USER, CORE_GROUP))
_TIMES: Final = {"gt": "$gt", "ge": "$gte", "lt": "$lt", "le": "$lte", "eq": "$eq"}
_NUMBER: Final = re.compile(r"-?[0-9]{1,9}\Z")

Listed = TypeVar("Listed", bound=Record)


class Asked(NamedTuple):
    """The parameters of a list; `cursor` is None for a page by index, and empty for the first page by cursor."""

    start: int
    limit: int
    cursor: str | None


def read_asked(parameters: Mapping[str, str]) -> Asked:
    start = max(1, _number(parameters, "startIndex", 1))
    count = min(MAX_COUNT, max(0, _number(parameters, "count", DEFAULT_COUNT)))
    if start > MAX_INDEX:
        raise at("startIndex", INVALID_VALUE.error())
    return Asked(start, count, parameters.get("cursor"))


def _number(parameters: Mapping[str, str], name: str, default: int) -> int:
    text = parameters.get(name, "")
    if text and not _NUMBER.match(text):
        raise at(name, INVALID_VALUE.error())
    return int(text) if text else default


@dataclass(frozen=True, slots=True)
class Found:
    total: int
    records: list[Any]
    next: str = ""


async def find_page(reader: Reader[Listed], question: Document, asked: Asked, key: Callable[[Any], str]) -> Found:
    """``key`` gives the text by which the list is sorted."""
    if asked.cursor is None:
        if not asked.limit:
            return Found(await reader.count_where(question), [])
        listed = await reader.list_page(question, Page(asked.start - 1, asked.limit, _SORT, ascending=True))
        return Found(listed.total, list(listed.records))
    page = Page(0, asked.limit + 1, _SORT, ascending=True)
    read = _read_cursor(asked.cursor)
    total = await reader.count_where(question) if read is None else read.total
    records = await reader.list_after(question, page, read and (read.key, read.id)) if asked.limit else []
    shown = records[: asked.limit]
    if len(records) == len(shown):
        return Found(total, list(shown))
    return Found(total, list(shown), _cursor(_Cursor(key(shown[-1]), shown[-1].id, total)))


def list_response(found: Found, asked: Asked, resources: list[Resource]) -> Resource:
    body: Resource = {"schemas": [LIST], "totalResults": found.total, "itemsPerPage": len(resources)}
    if asked.cursor is None:
        body["startIndex"] = asked.start
    elif found.next:
        body["nextCursor"] = found.next
    return {**body, "Resources": resources}


class _Cursor(NamedTuple):
    """The last entry of a page, and the number of all as it was on the first page: counting takes linear time."""

    key: str
    id: str
    total: int


def _cursor(cursor: _Cursor) -> str:
    return b64url(msgspec.json.encode(cursor))


def _read_cursor(cursor: str) -> _Cursor | None:
    if not cursor:
        return None
    try:
        text = base64.b64decode(f"{cursor}{'=' * (-len(cursor) % 4)}", altchars=b"-_", validate=True)
        return msgspec.json.decode(text, type=_Cursor)
    except (ValueError, msgspec.DecodeError):
        raise INVALID_CURSOR.error() from None


Compare = Callable[[str, str, Value], Awaitable[Document | None]]
"""Gives the condition for an attribute of one kind of resource, its operator and value; None for an unknown one."""


async def question_of(condition: Filter, connection_id: str, compare: Compare) -> Document:
    """Raises USER-209 for a comparison that no index or few reads can answer."""
    match condition:
        case Every(parts):
            return {"$and": [await question_of(one, connection_id, compare) for one in parts]}
        case Either(parts):
            return {"$or": [await question_of(one, connection_id, compare) for one in parts]}
        case Neither(part):
            return {"$nor": [await question_of(part, connection_id, compare)]}
        case OfElement(attribute, part):
            return await question_of(_of_elements(attribute, part), connection_id, compare)
        case Comparison(attribute, operator, value):
            name = next((attribute[len(one) :] for one in _PREFIXES if attribute.startswith(one)), attribute)
            found = _common(name, operator, value, connection_id)
            found = await compare(name, operator, value) if found is None else found
            if found is None:
                raise INVALID_FILTER.error(attribute=name[:50], operator=operator)
            return found


def _of_elements(attribute: str, condition: Filter) -> Filter:
    match condition:
        case Every(parts):
            return Every(tuple(_of_elements(attribute, one) for one in parts))
        case Either(parts):
            return Either(tuple(_of_elements(attribute, one) for one in parts))
        case Comparison(name, operator, value):
            return Comparison(f"{attribute}.{name}", operator, value)
        case _:
            raise INVALID_FILTER.error()


def _common(name: str, operator: str, value: Value, connection_id: str) -> Document | None:
    match name, operator, value:
        case "id", "eq", str():
            return {"_id": value[: MAX_LENGTH + 1]}
        case "externalid", "eq", str():
            return {"scimKey": external_key(Provisioned(connection_id=connection_id, external_id=value))}
        case "externalid", "pr", _:
            return {"scimKey": {"$exists": True}}
        case "meta.lastmodified", _, str() if operator in _TIMES:
            return {"changed": {_TIMES[operator]: _time(value)}}
        case "meta.created", _, str() if operator in _TIMES:
            return {"created": {_TIMES[operator]: _time(value)}}
    return None


def of_name(operator: str, value: Value) -> Document | None:
    """The condition on the unique name of a resource, in any case."""
    if operator == "pr":
        return {_SORT: {"$exists": True}}
    if not isinstance(value, str):
        return None
    key = canonical(value)
    pattern = {"sw": f"^{re.escape(key)}", "co": re.escape(key), "ew": f"{re.escape(key)}$"}.get(operator)
    if pattern is not None:
        return {_SORT: {"$regex": pattern}}
    return {_SORT: key} if operator == "eq" else {_SORT: {"$ne": key}} if operator == "ne" else None


def of_user_name(connection_id: str, operator: str, value: str) -> Document | None:
    """The condition on ``userName`` where users have other login names: then on what was sent."""
    if operator == "ne":
        same = of_user_name(connection_id, "eq", value)
        return same and {"$nor": [same]}
    by_login_name = of_name(operator, value)
    if by_login_name is None:
        return None
    begin, key = sent_name_key(connection_id, ""), sent_name_key(connection_id, value)
    name = re.escape(key.removeprefix(begin))
    pattern = {"sw": name, "co": f".*{name}", "ew": f".*{name}$"}.get(operator)
    sent = key if pattern is None else {"$regex": f"^{re.escape(begin)}{pattern}"}
    return {"$or": [{**by_login_name, SCIM_NAME: {"$exists": False}}, {SCIM_NAME: sent}]}


def _time(text: str) -> float:
    try:
        found = datetime.fromisoformat(text)
    except ValueError:
        raise INVALID_FILTER.error(cause="time") from None
    if found.tzinfo is None:
        raise INVALID_FILTER.error(cause="time")
    return found.timestamp()
