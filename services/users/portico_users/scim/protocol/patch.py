"""PATCH (RFC 7644 section 3.5.2) on the JSON of a user, in the dialects of Entra ID, Okta and Google.

Operations are spelled with any case. Without a path, the value has attributes, whose names may be paths themselves. A
filter that no element meets makes one. What this server does not keep is refused, and never ignored.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from copy import deepcopy
from enum import StrEnum
from typing import Final, NamedTuple

from portico_users.scim.protocol.attributes import ENTERPRISE, Path, Resource, parse_path
from portico_users.scim.protocol.errors import INVALID_PATH, INVALID_SYNTAX, INVALID_VALUE, NO_TARGET, READ_ONLY
from portico_users.scim.protocol.filters import Comparison, Either, Every, Filter, Neither
from portico_users.scim.protocol.placement import STANDARD, Placement
from portico_users.scim.protocol.schema import (
    IGNORED,
    READ_ONLY_NAMES,
    Kind,
    kind_of,
    sub_name,
    user_name_of,
)
from portico_users.scim.protocol.values import read_elements, read_flag, read_object
from portico_users.values.problems import at

MAX_OPERATIONS: Final = 1_000


class Verb(StrEnum):
    ADD = "add"
    REPLACE = "replace"
    REMOVE = "remove"


class Operation(NamedTuple):
    """`path` is None without one; then the value has attributes."""

    verb: Verb
    path: Path | None
    value: object


def read_operations(body: object) -> list[Operation]:
    """Raises USER-210 for a body that is not a PatchOp, and USER-211 for an invalid path."""
    members = {name.lower(): value for name, value in read_object(body, "body").items()}
    operations = members.get("operations")
    if not isinstance(operations, list) or not 0 < len(operations) <= MAX_OPERATIONS:
        raise at("Operations", INVALID_SYNTAX.error())
    return [_operation(one, f"Operations[{number}]") for number, one in enumerate(operations)]


def _operation(value: object, place: str) -> Operation:
    members = {name.lower(): one for name, one in read_object(value, place).items()}
    verb, path = members.get("op"), members.get("path") or None
    if not isinstance(verb, str) or verb.lower() not in set(Verb):
        raise at(f"{place}.op", INVALID_SYNTAX.error())
    if path is not None and not isinstance(path, str):
        raise at(f"{place}.path", INVALID_PATH.error())
    found = Operation(Verb(verb.lower()), parse_path(path) if path else None, members.get("value"))
    if found.verb is Verb.REMOVE and found.path is None:
        raise at(place, NO_TARGET.error())
    if found.verb is not Verb.REMOVE and "value" not in members:
        raise at(f"{place}.value", INVALID_VALUE.error())
    return found


def spread(operation: Operation) -> Iterator[Operation]:
    """Gives the operations on single attributes of an operation without a path."""
    if operation.path is not None and operation.path.attribute:
        yield operation
        return
    if operation.path is not None and operation.verb is Verb.REMOVE:
        yield operation
        return
    for name, value in read_object(operation.value, "value").items():
        path = parse_path(name)
        if operation.path is not None:
            path = path._replace(schema=operation.path.schema)
        if path.schema and not path.attribute:
            yield from spread(Operation(operation.verb, path, value))
        elif path.attribute not in READ_ONLY_NAMES:
            yield Operation(operation.verb, path, value)


def patch_user(resource: Resource, operations: Sequence[Operation], placement: Placement = STANDARD) -> Resource:
    """Returns the resource as the operations leave it; the given one stays as it is."""
    found = deepcopy(resource)
    for operation in operations:
        for one in spread(operation):
            _apply(found, one, placement)
    return found


def _apply(resource: Resource, operation: Operation, placement: Placement) -> None:
    path = operation.path
    if path is None:
        raise INVALID_PATH.error()
    if path.schema:
        _apply_extension(resource, operation, path, placement)
        return
    if path.attribute in IGNORED or user_name_of(path.attribute) in placement.ignored:
        return
    if path.attribute in READ_ONLY_NAMES:
        raise at(path.attribute, READ_ONLY.error())
    name, kind = user_name_of(path.attribute), kind_of(path.attribute)
    if kind is None or (path.filter and kind is not Kind.MANY) or (path.sub and kind is Kind.SIMPLE):
        raise at(path.attribute, INVALID_PATH.error())
    if kind is Kind.SIMPLE:
        _set(resource, name, operation)
    elif kind is Kind.COMPLEX:
        _apply_complex(resource.setdefault(name, {}), operation, path)
    else:
        elements = read_elements(resource.get(name), name)
        resource[name] = _apply_many(name, elements, operation, path)


def _set(members: Resource, name: str, operation: Operation) -> None:
    if operation.verb is Verb.REMOVE or operation.value is None:
        members.pop(name, None)
    else:
        members[name] = operation.value


def _apply_complex(members: Resource, operation: Operation, path: Path) -> None:
    if path.sub:
        _set(members, sub_name(path.attribute, path.sub), operation)
    elif operation.verb is Verb.REMOVE:
        members.clear()
    else:
        for name, value in read_object(operation.value, path.attribute).items():
            _set(members, sub_name(path.attribute, name.lower()), operation._replace(value=value))


def _apply_extension(resource: Resource, operation: Operation, path: Path, placement: Placement) -> None:
    extension = placement.extensions.get(path.schema)
    if extension is None:
        raise at(path.schema[:100], INVALID_PATH.error())
    if not path.attribute:
        resource.pop(extension.schema, None)
        return
    name = extension.names.get(path.attribute)
    is_manager = extension.schema == ENTERPRISE and name == "manager"
    if name is None or path.filter or (path.sub and not is_manager):
        raise at(path.attribute, INVALID_PATH.error())
    if path.sub and path.sub != "value":
        return  # the server derives the other members of the manager
    if f"{extension.schema}:{name}" not in placement.ignored:
        _set(resource.setdefault(extension.schema, {}), name, operation)


def _apply_many(name: str, elements: list[Resource], operation: Operation, path: Path) -> list[Resource]:
    meets = [one for one in elements if path.filter is None or is_met(path.filter, one)]
    if operation.verb is Verb.REMOVE:
        return _removed(name, elements, meets, operation, path)
    if path.filter is None and not path.sub:
        given = [_named(name, one) for one in read_elements(operation.value, name)]
        return given if operation.verb is Verb.REPLACE else _added(elements, given)
    if not meets:
        made = _from_filter(name, path.filter) if path.filter else {}
        elements, meets = [*elements, made], [made]
    for one in meets:
        if path.sub:
            _set(one, sub_name(path.attribute, path.sub), operation)
        else:
            (value,) = read_elements(operation.value, name)[:1] or [{}]
            one.update(_named(name, value))
    return _with_one_primary(elements, meets)


def _removed(
    name: str, elements: list[Resource], meets: list[Resource], operation: Operation, path: Path
) -> list[Resource]:
    if path.sub:
        for one in meets:
            one.pop(sub_name(path.attribute, path.sub), None)
        return elements
    if operation.value is not None and path.filter is None:
        gone = [_named(name, one).get("value") for one in read_elements(operation.value, name)]
        return [one for one in elements if one.get("value") not in gone]
    return [one for one in elements if one not in meets]


def _added(elements: list[Resource], given: list[Resource]) -> list[Resource]:
    new = [one for one in given if one not in elements]
    return _with_one_primary([*elements, *new], new)


def _with_one_primary(elements: list[Resource], changed: list[Resource]) -> list[Resource]:
    """An element that becomes the primary one replaces the former one (RFC 7644 section 3.5.2)."""
    latest = next((one for one in reversed(changed) if _is_primary(one)), None)
    for one in elements:
        if latest is not None and one is not latest and _is_primary(one):
            one["primary"] = False
    return elements


def _is_primary(element: Resource) -> bool:
    value = element.get("primary")
    return value is not None and read_flag(value, "primary")


def _named(attribute: str, element: Resource) -> Resource:
    return {sub_name(attribute.lower(), name.lower()): value for name, value in element.items()}


def _from_filter(name: str, condition: Filter) -> Resource:
    """The element that a filter of equalities describes."""
    parts = condition.parts if isinstance(condition, Every) else (condition,)
    made: Resource = {}
    for one in parts:
        if not isinstance(one, Comparison) or one.operator != "eq":
            raise at(name, INVALID_PATH.error())
        made[sub_name(name.lower(), one.attribute)] = one.value
    return made


def is_met(condition: Filter, element: Resource) -> bool:
    """Reports whether an element of a list meets a filter; texts are compared without regard to case."""
    match condition:
        case Every(parts):
            return all(is_met(one, element) for one in parts)
        case Either(parts):
            return any(is_met(one, element) for one in parts)
        case Neither(part):
            return not is_met(part, element)
        case Comparison(attribute, operator, value):
            return _compares(_lowered(_member(element, attribute)), operator, _lowered(value))
        case _:
            raise INVALID_PATH.error()


def _member(element: Resource, name: str) -> object:
    return next((value for key, value in element.items() if key.lower() == name), None)


def _lowered(value: object) -> str | None:
    return None if value is None else str(value).casefold()


def _compares(held: str | None, operator: str, value: str | None) -> bool:
    match operator:
        case "pr":
            return bool(held)
        case "eq":
            return held == value
        case "ne":
            return held != value
        case "co":
            return held is not None and value is not None and value in held
        case "sw":
            return held is not None and value is not None and held.startswith(value)
        case "ew":
            return held is not None and value is not None and held.endswith(value)
        case _:
            raise INVALID_PATH.error()
