from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Mapping
from functools import cache
from typing import Any, Final, TypeVar, get_args

import msgspec
from portico_oauth.surrogates import find_lone_surrogate

from portico_cli.conversion.findings import Findings, Place

UNREADABLE: Final = "the format of this object is invalid"
MEMBER: Final = "an unsupported member"
AT_THE_SOURCE: Final = "timestamps and internal fields of the source"


class Record(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    pass


Kind = TypeVar("Kind", bound=Record)


def read_record(value: Any, kind: type[Kind], place: Place, findings: Findings) -> Kind | None:
    """Converts a value to a structure; None, and a report, for an invalid one. Null members count as absent."""
    try:
        return msgspec.convert(_without_nulls(value), kind)
    except msgspec.ValidationError as error:
        # The text contains only types and paths, never a value.
        findings.left_out(place, str(error), UNREADABLE)
        return None


def read_embedded(text: str, kind: type[Kind]) -> Kind:
    """Parses JSON in a string; raises ValueError."""
    try:
        value = json.loads(text)
        if find_lone_surrogate(text, value) is not None:
            raise ValueError("an unpaired surrogate")
        return msgspec.convert(_without_nulls(value), kind)
    except (ValueError, RecursionError, msgspec.ValidationError) as error:
        raise ValueError("of the wrong type") from error


def items_of(value: Any) -> list[Any]:
    """Returns the items of a list, none for null, and anything else alone, so that it is reported."""
    if value is None:
        return []
    return value if isinstance(value, list) else [value]


def report_others(
    value: Any,
    kind: type[Record],
    user: tuple[Place, str],
    findings: Findings,
    *,
    only_counted: Collection[str] = (),
    deep: bool = False,
) -> None:
    """`only_counted` are members of nearly every user, which would be a line for each.

    `deep`: also members of members, such as ``options.scope``, which users have too many of.
    """
    for name in dict.fromkeys(_others(value, kind, deep=deep)):
        if name in only_counted:
            findings.counted(f"{AT_THE_SOURCE}: {name}")
        else:
            findings.not_moved(*user, MEMBER, name)


def _others(value: Any, kind: type[Record], *, deep: bool) -> Iterator[str]:
    known = _members_of(kind)
    for name, member in value.items():
        if name not in known:
            if member not in (None, False, 0, "", [], {}):
                yield name
        elif deep and (inner := known[name]):
            items = (item for item in items_of(member) if isinstance(item, dict))
            yield from (f"{name}.{other}" for item in items for other in _others(item, inner, deep=True))


@cache
def _members_of(kind: type[Record]) -> Mapping[str, type[Record] | None]:
    return {field.encode_name: _record_in(field.type) for field in msgspec.structs.fields(kind)}


def _record_in(hint: Any) -> type[Record] | None:
    """Returns the structure in a type such as ``list[Uri] | str``."""
    if isinstance(hint, type) and issubclass(hint, Record):
        return hint
    return next(filter(None, map(_record_in, get_args(hint))), None)


def _without_nulls(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _without_nulls(member) for name, member in value.items() if member is not None}
    return [_without_nulls(item) for item in value] if isinstance(value, list) else value
