"""Copies messages by the names of their fields."""

from __future__ import annotations

from typing import Any, Final, NoReturn

from google.protobuf.descriptor import EnumDescriptor, FieldDescriptor
from google.protobuf.message import Message
from portico_contracts.proto_options import descriptor_of, is_map
from portico_oauth.errors import Violation

from portico_users.values.json_text import INVALID_FIELDS

NOT_OFFERED_HERE: Final = "Portico does not support this."

OUR_NAMES: Final = {
    "given_name": "first_name",
    "family_name": "last_name",
    "organization": "organisation",
}
"""Field names of the specification, by those of the SDKs."""

THEIR_NAMES: Final = {ours: theirs for theirs, ours in OUR_NAMES.items()} | {"view_timestamp": "timestamp"}

_THEIR_PLACES: Final = {
    "profile.firstName": "profile.givenName",
    "profile.lastName": "profile.familyName",
    "organisation": "organization",
    "organisation.orgId": "organization.orgId",
    "userName": "username",
}


def in_their_places(violations: tuple[Violation, ...]) -> tuple[Violation, ...]:
    """The violations of our message, by the field names of the SDKs."""
    return tuple(one._replace(field=_THEIR_PLACES.get(one.field, one.field)) for one in violations)


def copy_request(theirs: Message, ours: Message) -> None:
    """Raises USER-303 for values that have no place here: leaving them out would change what the call means."""
    violations: list[Violation] = []
    _copy(theirs, ours, OUR_NAMES, "", violations)
    if violations:
        raise INVALID_FIELDS.error(violations=tuple(violations))


def refuse_fields(*names: str) -> NoReturn:
    raise INVALID_FIELDS.error(violations=tuple(Violation(name, NOT_OFFERED_HERE) for name in names))


def copy_answer(ours: Message, theirs: Message) -> None:
    """Leaves out the fields and the values of enumerations that only Portico has."""
    _copy(ours, theirs, THEIR_NAMES, "", [])


def _copy(source: Message, target: Message, names: dict[str, str], path: str, violations: list[Violation]) -> None:
    for field, value in source.ListFields():
        place = f"{path}.{field.json_name}" if path else str(field.json_name)
        to = _field_of(target, field.name, names)
        if to is None or (field.message_type is None) != (to.message_type is None):
            violations.append(Violation(place, NOT_OFFERED_HERE))
        elif field.message_type is None:
            _copy_scalar(field, value, to, target, place, violations)
        elif is_map(field):
            getattr(target, to.name).MergeFrom(value)
        elif field.is_repeated:
            for number, one in enumerate(value):
                _copy_message(one, getattr(target, to.name).add(), names, f"{place}[{number}]", violations)
        else:
            inner = getattr(target, to.name)
            inner.SetInParent()
            _copy_message(value, inner, names, place, violations)


def _field_of(target: Message, name: str, names: dict[str, str]) -> FieldDescriptor | None:
    fields = descriptor_of(target).fields_by_name
    return fields.get(names.get(name, name)) or fields.get(name)


def _copy_message(
    source: Message, target: Message, names: dict[str, str], place: str, violations: list[Violation]
) -> None:
    if source.DESCRIPTOR is target.DESCRIPTOR:
        target.CopyFrom(source)
    else:
        _copy(source, target, names, place, violations)


def _copy_scalar(
    field: FieldDescriptor, value: Any, to: FieldDescriptor, target: Message, place: str, violations: list[Violation]
) -> None:
    if field.enum_type is not None and to.enum_type is not None:
        numbers = [_number_in(field.enum_type, to.enum_type, one) for one in (value if field.is_repeated else [value])]
        known = [one for one in numbers if one is not None]
        if len(known) < len(numbers):
            violations.append(Violation(place, NOT_OFFERED_HERE))
        if not known:
            return
        value = known if field.is_repeated else known[0]
    if field.is_repeated:
        getattr(target, to.name).extend(value)
    else:
        setattr(target, to.name, value)


def _number_in(source: EnumDescriptor, target: EnumDescriptor, number: int) -> int | None:
    """The number of the value that has the same name; the SDKs have two names for text comparisons."""
    value = source.values_by_number.get(number)
    name = value.name.replace("TEXT_FILTER_METHOD", "TEXT_QUERY_METHOD") if value else ""
    found = target.values_by_name.get(name)
    return found.number if found else None
