"""Keycloak: the realms of ``kc.sh export``, one or several in a file; each becomes an organization with a project.

Its users are in the same file, or in further ones with only the name of the realm and users (``REALM-users-0.json``).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, NamedTuple

from portico_conversion.applications.draft import Draft
from portico_conversion.applications.grants import add_grant, add_service_grant
from portico_conversion.applications.keycloak.built_in import BUILT_IN, MASTER, is_own
from portico_conversion.applications.keycloak.clients import Client, add_client
from portico_conversion.applications.keycloak.idps import Component, Provider, add_directories, add_provider
from portico_conversion.applications.keycloak.mappers import Mapper, changed_mappers, has_short_names
from portico_conversion.applications.keycloak.roles import OldGroup, RoleKeys, Roles, without_built_in
from portico_conversion.applications.keycloak.rules import LIFETIMES, RULES, add_rules
from portico_conversion.applications.options import DocumentOptions
from portico_conversion.findings import Findings, Place, SourceError
from portico_conversion.reading.json_stream import JsonStream
from portico_conversion.reading.keycloak_realms import opened_realms
from portico_conversion.reading.records import PEOPLE, Record, items_of, read_name, read_plain, read_record
from portico_conversion.users.converted_user import ConvertedUser
from portico_conversion.users.keycloak import OF_MASTER, SEVERAL, each_realm

MORE: Final = "a part of the realm without counterpart"
SETTINGS: Final = "settings of the realm without counterpart"
COMPONENTS: Final = "components of the realm without counterpart"
ONLY_USERS: Final = "The file has only users. Name the file of their realm as well (REALM-realm.json)."
NO_USERS: Final = "roles of users: no file has users. Name the files REALM-users-N.json of the export as well"

_SCALARS: Final = ("id", "realm", "displayName", *RULES, *LIFETIMES)
_WHOLE: Final = frozenset({"roles", "groups", "clientScopes", "components", "requiredActions"})
_DIRECTORIES: Final = "UserStorageProvider"
_LISTS: Final = frozenset({"clients", "identityProviders"})
_USERS: Final = frozenset({"users", "federatedUsers"})
_NAMED: Final = frozenset(
    {"smtpServer", "localizationTexts", "organizations", "identityProviderMappers", "defaultGroups"}
)
"""Parts whose absence users notice; all others are counted."""


class _Scope(Record, frozen=True):
    name: str
    protocol: str = ""
    protocol_mappers: list[Mapper] = []

    usual = frozenset({"id", "description", "attributes"})

    @property
    def title(self) -> str:
        return f"client scope {self.name}"


class _User(Record, frozen=True):
    id: str = ""
    username: str = ""
    enabled: bool = False
    email: str = ""
    email_verified: bool = False
    first_name: str = ""
    last_name: str = ""
    realm_roles: list[str] = []
    client_roles: dict[str, list[str]] = {}
    groups: list[str] = []
    service_account_client_id: str = ""

    is_part = True

    @property
    def title(self) -> str:
        return self.username or self.email or self.id


class _ClientRow(NamedTuple):
    place: Place
    client: Client


@dataclass(slots=True)
class _Realm:
    place: Place
    members: set[str] = field(default_factory=set)
    settings: dict[str, tuple[Place, Any]] = field(default_factory=dict)
    rows: defaultdict[str, list[tuple[Place, Any]]] = field(default_factory=lambda: defaultdict(list))
    """The items of its lists."""

    @property
    def name(self) -> str:
        return str(self.settings.get("realm", (None, ""))[1])

    @property
    def has_only_users(self) -> bool:
        return bool(self.members & _USERS) and self.members <= {"realm", *_USERS}


def read_drafts(files: Sequence[Path], options: DocumentOptions, findings: Findings) -> Iterator[Draft]:
    """Raises `SourceError` for a file that is not an export."""
    client_ids: dict[str, Place] = {}
    realms = _names_in(files, findings) if MASTER in options.realms else frozenset()
    found, parts = set[str](), list[_Realm]()
    for path in files:
        names = []
        with opened_realms(path, findings) as stream:
            for _ in each_realm(stream):
                realm = _read_realm(stream, findings)
                if realm.has_only_users:
                    parts.append(realm)
                    continue
                found.add(realm.name)
                if _is_wanted(realm, options, findings):
                    names.append(realm.name)
                    draft = Draft(options.org_id or realm.name, _title(realm), findings, options.seen, client_ids)
                    keys = _fill(draft, realm, realms)
                    if options.grants:
                        _add_grants(files, realm, draft, keys)
                    yield draft
            stream.end()
        if options.org_id and len(names) > 1:
            raise SourceError(path.name, SEVERAL)
    for part in parts:
        if part.name not in found and (not options.realms or part.name in options.realms):
            raise SourceError(part.place, ONLY_USERS)


def _is_wanted(realm: _Realm, options: DocumentOptions, findings: Findings) -> bool:
    if options.realms:
        return realm.name in options.realms
    if realm.name == MASTER:
        findings.left_out(realm.place, "realm master", OF_MASTER)
        return False
    return True


def _read_realm(stream: JsonStream, findings: Findings) -> _Realm:
    realm = _Realm(stream.place)
    for name in stream.members():
        place = stream.place
        realm.members.add(name)
        if name in _LISTS:
            for _ in stream.items():
                realm.rows[name].append((stream.place, stream.value()))
        elif name == "realm":
            realm.settings[name] = place, read_name(stream.value(), name, place, findings)
        elif name in _WHOLE:
            realm.settings[name] = place, stream.value()
        elif name in _SCALARS:
            if (value := read_plain(stream.value(), name, place, findings)) is not None:
                realm.settings[name] = place, value
        else:
            _leave(stream, name, findings)
    if not realm.name:
        raise SourceError(realm.place, "This object has no realm: it is not a Keycloak export.")
    return realm


def _leave(stream: JsonStream, name: str, findings: Findings) -> None:
    place, is_scalar = stream.place, stream.peek() not in ("[", "{")
    number = stream.skip()
    if name in _USERS:
        findings.counted(PEOPLE, name)
    elif name in _NAMED and number:
        findings.not_moved(place, "", MORE, f"{name}, {number} entries")
    elif is_scalar or number:
        findings.counted(SETTINGS, name)


def _names_in(files: Sequence[Path], findings: Findings) -> frozenset[str]:
    """Returns the names of all realms, of which the realm master has clients."""
    found = set()
    for path in files:
        with opened_realms(path, findings.silent()) as stream:
            for _ in each_realm(stream):
                for member in stream.members():
                    if member == "realm":
                        found.add(read_name(stream.value(), member, stream.place, findings))
                    else:
                        stream.skip()
    return frozenset(found)


def _clients_of(realm: _Realm, realms: Collection[str], findings: Findings) -> list[_ClientRow]:
    """Returns the clients of applications: those of Keycloak are counted."""
    found = []
    for place, value in realm.rows["clients"]:
        client_id = value.get("clientId") if isinstance(value, dict) else None
        if isinstance(client_id, str) and is_own(client_id, realm.name, realms):
            findings.counted(BUILT_IN, client_id)
        elif client := read_record(value, Client, place, findings):
            found.append(_ClientRow(place, client))
    return found


def _title(realm: _Realm) -> str:
    title = str(realm.settings.get("displayName", (None, ""))[1] or "")
    return title if title and "<" not in title else realm.name


def _fill(draft: Draft, realm: _Realm, realms: Collection[str]) -> RoleKeys:
    project, keys = draft.project(realm.name, f"{draft.id}-project"), RoleKeys()
    project.role_assertion = True
    findings, settings = draft.findings, realm.settings
    scopes, clients = _scopes(realm, findings), _clients_of(realm, realms, findings)
    if found := settings.get("roles"):
        own = without_built_in(found[1], lambda client_id: is_own(client_id, realm.name, realms))
        roles = read_record(own, Roles, found[0], findings)
        keys.add_roles(draft, project, found[0], roles or Roles())
    if found := settings.get("groups"):
        groups = [read_record(one, OldGroup, found[0], findings) for one in items_of(found[1])]
        mappers = [one for row in clients for one in row.client.protocol_mappers]
        short = has_short_names([*mappers, *(one for ones in scopes.values() for one in ones)])
        keys.add_groups(draft, found[0], filter(None, groups), short=short)
    for row in clients:
        add_client(draft, project, row.place, row.client, scopes)
    for place, value in realm.rows["identityProviders"]:
        if provider := read_record(value, Provider, place, findings):
            add_provider(draft, place, provider)
    if found := settings.get("components"):
        components = _components(found[0], found[1], findings)
        add_directories(draft, found[0], components)
    add_rules(draft, settings)
    if any("DEVICE_CODE" in one for app in project.oidc_apps for one in app.grant_types):
        draft.login["allow_device_authorization"] = True
    return keys


def _scopes(realm: _Realm, findings: Findings) -> dict[str, list[Mapper]]:
    place, values = realm.settings.get("clientScopes", (realm.place, None))
    found = [read_record(one, _Scope, place, findings) for one in items_of(values)]
    return {one.name: changed_mappers(one.name, one.protocol_mappers) for one in found if one}


def _components(place: Place, value: Any, findings: Findings) -> dict[str, list[Component]]:
    kinds = value if isinstance(value, dict) else {}
    for kind in kinds:
        if not kind.endswith(_DIRECTORIES):
            findings.counted(COMPONENTS, kind)
    found = {
        kind: [read_record(one, Component, place, findings) for one in items_of(ones)]
        for kind, ones in kinds.items()
        if kind.endswith(_DIRECTORIES)
    }
    return {kind: [one for one in ones if one] for kind, ones in found.items()}


def _add_grants(files: Sequence[Path], realm: _Realm, draft: Draft, keys: RoleKeys) -> None:
    """Reads the users, which may come before the roles in a file, or be in another one: a second pass."""
    people = sum(_add_users(path, realm.name, draft, keys) for path in files)
    if not people:
        draft.findings.not_moved(realm.place, f"realm {realm.name}", NO_USERS)


def _add_users(path: Path, realm: str, draft: Draft, keys: RoleKeys) -> int:
    """Returns the number of people: exports without users have those of service accounts."""
    people = 0
    with opened_realms(path, draft.findings.silent()) as stream:
        for _ in each_realm(stream):
            name = ""
            for member in stream.members():
                if member == "realm":
                    name = read_name(stream.value(), member, stream.place, draft.findings)
                elif member == "users" and name == realm:
                    for _ in stream.items():
                        people += _add_user(draft, stream.place, stream.value(), keys)
                else:
                    stream.skip()
    return people


def _add_user(draft: Draft, place: Place, value: Any, keys: RoleKeys) -> bool:
    """Returns whether it is a person."""
    user = read_record(value, _User, place, draft.findings)
    if user is None:
        return True
    [project] = draft.projects
    role_keys, groups = keys.keys_of(user.realm_roles, user.client_roles), keys.groups_of(user.groups)
    if user.service_account_client_id:
        add_service_grant(draft, project, user.service_account_client_id, role_keys)
    elif user.enabled:
        person = ConvertedUser(
            place=place,
            id=user.id,
            user_name=user.username,
            email=user.email,
            email_verified=user.email_verified,
            first_name=user.first_name,
            last_name=user.last_name,
        )
        add_grant(draft, project, person, role_keys, groups)
    return not user.service_account_client_id
