"""Roles and groups of a Keycloak realm: all roles become roles of one project, and groups the roles they give."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Final, NamedTuple

from portico_cli.conversion.documents.draft import Draft, ProjectDraft
from portico_cli.conversion.findings import Place
from portico_cli.conversion.records import Record

RENAMED: Final = "a role of a client with the name of another role: its key begins with the client"
COMPOSITE: Final = "a composite role: users get the role and its parts, later changes of the parts are not passed on"
ATTRIBUTES: Final = "attributes of a group"
GROUP: Final = "a group: its members get its roles as role grants"

_BUILT_IN_PREFIX: Final = "default-roles-"
_BUILT_IN: Final = frozenset({"offline_access", "uma_authorization"})
_OWN_CLIENTS: Final = frozenset({"account", "broker", "realm-management", "security-admin-console", "admin-cli"})


class Composites(Record, frozen=True):
    realm: list[str] = []
    client: dict[str, list[str]] = {}


class Role(Record, frozen=True):
    name: str
    description: str = ""
    composites: Composites = Composites()


class Roles(Record, frozen=True):
    realm: list[Role] = []
    client: dict[str, list[Role]] = {}


class Group(Record, frozen=True):
    name: str = ""
    path: str = ""
    attributes: dict[str, list[str]] = {}
    realm_roles: list[str] = []
    client_roles: dict[str, list[str]] = {}
    sub_groups: list[Group] = []


class RoleName(NamedTuple):
    """A role of the realm, or of a client."""

    client: str
    name: str


class RoleKeys:
    """The key of each role, and the roles that each group gives."""

    def __init__(self) -> None:
        self._keys: dict[RoleName, str] = {}
        self._parts: dict[RoleName, list[RoleName]] = {}
        self._groups: dict[str, list[RoleName]] = {}

    def add_roles(self, draft: Draft, project: ProjectDraft, place: Place, roles: Roles) -> None:
        found = list(_own_roles(roles))
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
                shown = "" if role.description.startswith("${") else role.description
                if draft.add_role(project, place, key, shown):
                    self._keys[name] = key
            self._parts[name] = parts

    def add_groups(self, draft: Draft, place: Place, groups: Iterable[Group], above: tuple[RoleName, ...] = ()) -> None:
        for group in groups:
            names = (*above, *_names(group.realm_roles, group.client_roles))
            path = group.path or group.name
            draft.findings.changed(place, f"group {path}", GROUP)
            if group.attributes:
                draft.findings.not_moved(place, f"group {path}", ATTRIBUTES, ", ".join(group.attributes))
            self._groups[path] = list(names)
            self.add_groups(draft, place, group.sub_groups, names)

    def keys_of(
        self, realm: Iterable[str], clients: Mapping[str, Iterable[str]], groups: Iterable[str]
    ) -> tuple[str, ...]:
        """Returns the keys of all roles of a user: given, by composite roles, and by groups and those above them."""
        names = [*_names(realm, clients), *(one for path in groups for one in self._groups.get(path, ()))]
        seen: set[RoleName] = set()
        while names:
            name = names.pop()
            if name not in seen:
                seen.add(name)
                names += self._parts.get(name, ())
        return tuple(sorted({self._keys[name] for name in seen if name in self._keys}))


def _own_roles(roles: Roles) -> Iterator[tuple[RoleName, Role]]:
    for role in roles.realm:
        if role.name not in _BUILT_IN:
            yield RoleName("", role.name), role
    for client, ones in roles.client.items():
        if client not in _OWN_CLIENTS and not client.endswith("-realm"):
            yield from ((RoleName(client, role.name), role) for role in ones)


def _names(realm: Iterable[str], clients: Mapping[str, Iterable[str]]) -> Iterator[RoleName]:
    yield from (RoleName("", one) for one in realm)
    yield from (RoleName(client, one) for client, ones in clients.items() for one in ones)


def _is_default(name: RoleName) -> bool:
    return not name.client and name.name.startswith(_BUILT_IN_PREFIX)
