"""What a client changes in a group: its names, and each member that comes or goes, without reading the others."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from portico_users.scim.protocol.attributes import Path
from portico_users.scim.protocol.errors import INVALID_PATH, INVALID_VALUE, READ_ONLY
from portico_users.scim.protocol.filters import Comparison, Either, Filter
from portico_users.scim.protocol.patch import Operation, Verb
from portico_users.scim.protocol.schema import READ_ONLY_NAMES
from portico_users.scim.protocol.values import read_object, read_text
from portico_users.values.names import MAX_LENGTH
from portico_users.values.problems import at


@dataclass(slots=True)
class GroupChange:
    """`name` and `external_id` are None where they stay.

    Attributes:
        whole: the ids of all members, if the client replaced them; None if it changed some.
        members: whether a user shall be a member, by id; the last operation about a user counts.
    """

    name: str | None = None
    external_id: str | None = None
    whole: frozenset[str] | None = None
    members: dict[str, bool] = field(default_factory=dict)

    def replace_members(self, ids: Sequence[str]) -> None:
        self.whole = frozenset(ids)
        self.members = {}

    def set_members(self, ids: Sequence[str], *, joins: bool) -> None:
        self.members.update(dict.fromkeys(ids, joins))


def change_of(operations: Sequence[Operation]) -> GroupChange:
    change = GroupChange()
    for operation in operations:
        for one in _spread(operation):
            _add(change, one)
    return change


def whole_change_of(body: object) -> GroupChange:
    """A new group, or all values of one. Members that the body does not have stay."""
    given = {name.lower(): value for name, value in read_object(body, "body").items()}
    change = GroupChange(name=read_text(given.get("displayname"), "displayName"))
    if not change.name:
        raise at("displayName", INVALID_VALUE.error())
    if "externalid" in given:
        change.external_id = read_text(given["externalid"], "externalId")
    if given.get("members") is not None:
        change.replace_members(member_ids(given["members"]))
    return change


def member_ids(value: object) -> list[str]:
    """The ids in a list of members; one member, and a bare id, are lists too. ``type`` may be missing."""
    if value is None:
        return []
    found = value if isinstance(value, list) else [value]
    ids = []
    for number, one in enumerate(found):
        place = f"members[{number}].value"
        members = {} if isinstance(one, str) else {name.lower(): two for name, two in read_object(one, place).items()}
        id = one if isinstance(one, str) else read_text(members.get("value"), place)
        if not 0 < len(id) <= MAX_LENGTH or str(members.get("type") or "User").lower() != "user":
            raise at(place, INVALID_VALUE.error())
        ids.append(id)
    return ids


def _spread(operation: Operation) -> Iterator[Operation]:
    if operation.path is not None:
        yield operation
        return
    for name, value in read_object(operation.value, "value").items():
        if name.lower() not in READ_ONLY_NAMES:  # Okta sends the id with the new name
            yield Operation(operation.verb, Path(name.lower()), value)


def _add(change: GroupChange, operation: Operation) -> None:
    verb, path, value = operation
    match path:
        case Path("displayname", "", None, ""):
            change.name = "" if verb is Verb.REMOVE else read_text(value, "displayName")
            if not change.name:
                raise at("displayName", INVALID_VALUE.error())
        case Path("externalid", "", None, ""):
            change.external_id = "" if verb is Verb.REMOVE else read_text(value, "externalId")
        case Path("members", "" | "value", None, ""):
            _add_members(change, verb, value)
        case Path("members", "" | "value", condition, "") if condition is not None:
            change.set_members(list(_named_in(condition)), joins=verb is not Verb.REMOVE)
        case Path(name) if name in READ_ONLY_NAMES:
            raise at(name, READ_ONLY.error())
        case _:
            raise at(path.attribute if path else "", INVALID_PATH.error())


def _add_members(change: GroupChange, verb: Verb, value: object) -> None:
    ids = member_ids(value)
    if verb is Verb.ADD:
        change.set_members(ids, joins=True)
    elif verb is Verb.REPLACE or value is None:
        change.replace_members(ids)
    else:
        change.set_members(ids, joins=False)


def _named_in(condition: Filter) -> Iterator[str]:
    match condition:
        case Either(parts):
            for one in parts:
                yield from _named_in(one)
        case Comparison("value", "eq", str(id)):
            yield id[: MAX_LENGTH + 1]
        case _:
            raise at("members", INVALID_PATH.error())
