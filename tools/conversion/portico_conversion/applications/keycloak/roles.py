"""Roles and groups of a Keycloak realm: all roles become roles of one project; groups have no others in them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from typing import Any, Final, NamedTuple

from portico_contracts.apply import Group, GroupRoles

from portico_conversion.applications.draft import Draft, ProjectDraft
from portico_conversion.findings import Place
from portico_conversion.reading.records import Record

RENAMED: Final = "a role of a client with the name of another role: its key begins with the client"
COMPOSITE: Final = "a composite role: users get the role and its parts, later changes of the parts are not passed on"
ATTRIBUTES: Final = "attributes of a group"
ROLE_ATTRIBUTES: Final = "attributes of a role"
NESTED: Final = "a group in another group: it gives the roles of both, and its members are not in the other one"

_BUILT_IN_PREFIX: Final = "default-roles-"
_BUILT_IN: Final = frozenset({"offline_access", "uma_authorization"})


class Composites(Record, frozen=True):
    realm: list[str] = []
    client: dict[str, list[str]] = {}


class Role(Record, frozen=True):
    name: str
    description: str = ""
    composites: Composites = Composites()
    attributes: dict[str, list[str]] = {}

    usual = frozenset({"id", "composite", "clientRole", "containerId"})


class Roles(Record, frozen=True):
    realm: list[Role] = []
    client: dict[str, list[Role]] = {}


class OldGroup(Record, frozen=True):
    id: str = ""
    name: str = ""
    path: str = ""
    attributes: dict[str, list[str]] = {}
    realm_roles: list[str] = []
    client_roles: dict[str, list[str]] = {}
    sub_groups: list[OldGroup] = []

    usual = frozenset({"parentId", "subGroupCount", "access"})

    @property
    def title(self) -> str:
        return f"group {self.path or self.name}"


class RoleName(NamedTuple):
    """A role of the realm, or of a client."""

    client: str
    name: str


class RoleKeys:
    """The key of each role, and the id of each group."""

    def __init__(self) -> None:
        self._keys: dict[RoleName, str] = {}
        self._parts: dict[RoleName, list[RoleName]] = {}
        self._groups: dict[str, str] = {}

    def add_roles(self, draft: Draft, project: ProjectDraft, place: Place, roles: Roles) -> None:
        """`roles` are without those of Keycloak (`without_built_in`)."""
        found = list(_named(roles))
        counted = Counter(name.name for name, _ in found)
        for name, role in found:
            key = role.name
            if name.client and counted[role.name] > 1:
                key = f"{name.client}:{role.name}"
                draft.findings.changed(place, f"role {role.name} of {name.client}", RENAMED, key)
            parts = list(_names(role.composites.realm, role.composites.client))
            if not _is_default(name):
                if parts:
                    draft.findings.changed(place, f"role {role.name}", COMPOSITE)
                if role.attributes:
                    draft.findings.not_moved(place, f"role {role.name}", ROLE_ATTRIBUTES, ", ".join(role.attributes))
                if draft.add_role(project, place, key, role.description):
                    self._keys[name] = key
            self._parts[name] = parts

    def add_groups(self, draft: Draft, place: Place, groups: Iterable[OldGroup], *, short: bool) -> None:
        """`short`: claims list groups by their names; the others keep their path, as claims list it by default."""
        found = list(_with_parents(groups))
        counted = Counter(group.name for group, _ in found)
        for group, parents in found:
            path = group.path or group.name
            if parents:
                draft.findings.changed(place, f"group {path}", NESTED)
            if group.attributes:
                draft.findings.not_moved(place, f"group {path}", ATTRIBUTES, ", ".join(group.attributes))
            names = [name for one in (*parents, group) for name in _names(one.realm_roles, one.client_roles)]
            keys = self._expanded(names)
            grants = (GroupRoles(project=draft.projects[0].id, role_keys=keys),) if keys else None
            name = group.name if short and counted[group.name] == 1 else path
            id = group.id or f"{draft.id}-{name}"
            if draft.add_group(place, Group(name=name, id=id, grants=grants)):
                self._groups[path] = id

    def keys_of(self, realm: Iterable[str], clients: Mapping[str, Iterable[str]]) -> tuple[str, ...]:
        """Returns the keys of all roles that a user was given, also by composite roles."""
        return self._expanded(_names(realm, clients))

    def groups_of(self, paths: Iterable[str]) -> tuple[str, ...]:
        return tuple(self._groups[path] for path in paths if path in self._groups)

    def _expanded(self, names: Iterable[RoleName]) -> tuple[str, ...]:
        waiting, seen = list(names), set[RoleName]()
        while waiting:
            name = waiting.pop()
            if name not in seen:
                seen.add(name)
                waiting += self._parts.get(name, ())
        return tuple(sorted({self._keys[name] for name in seen if name in self._keys}))


def _with_parents(
    groups: Iterable[OldGroup], parents: tuple[OldGroup, ...] = ()
) -> Iterator[tuple[OldGroup, tuple[OldGroup, ...]]]:
    for group in groups:
        yield group, parents
        yield from _with_parents(group.sub_groups, (*parents, group))


def without_built_in(value: Any, is_own: Callable[[str], bool]) -> Any:
    """Returns the roles of an export without those of Keycloak; `is_own` is for its clients."""
    if not isinstance(value, dict):
        return value
    realm, clients = value.get("realm"), value.get("client")
    if isinstance(realm, list):
        realm = [_without_text(one) for one in realm if not _is_named(one, _BUILT_IN)]
    if isinstance(clients, dict):
        clients = {name: roles for name, roles in clients.items() if not is_own(name)}
    return {**value, "realm": realm, "client": clients}


def _is_named(role: Any, names: Collection[str]) -> bool:
    return isinstance(role, dict) and role.get("name") in names


def _without_text(role: Any) -> Any:
    """The description of the realm's default role is a key of Keycloak's texts; only its parts are read."""
    name = role.get("name") if isinstance(role, dict) else None
    is_default = isinstance(name, str) and name.startswith(_BUILT_IN_PREFIX)
    return {**role, "description": ""} if is_default else role


def _named(roles: Roles) -> Iterator[tuple[RoleName, Role]]:
    yield from ((RoleName("", role.name), role) for role in roles.realm)
    yield from ((RoleName(client, role.name), role) for client, ones in roles.client.items() for role in ones)


def _names(realm: Iterable[str], clients: Mapping[str, Iterable[str]]) -> Iterator[RoleName]:
    yield from (RoleName("", one) for one in realm)
    yield from (RoleName(client, one) for client, ones in clients.items() for one in ones)


def _is_default(name: RoleName) -> bool:
    return not name.client and name.name.startswith(_BUILT_IN_PREFIX)
