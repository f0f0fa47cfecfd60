from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from portico_contracts.apply import ApiApp, Document, JwtIdp, Key, LdapIdp, Oauth2Idp, OidcApp, OidcIdp, Organization
from portico_oauth.errors import ErrorCode
from portico_oauth.resources import resource_key

from portico_users.applications.store import RESOURCE_TAKEN
from portico_users.values.names import canonical
from portico_users.values.problems import ID_TAKEN, NAME_TAKEN, at
from portico_users.webhooks.store import SECOND_HOOK
from portico_users.webhooks.webhook import TOKEN_ISSUE


class Use(NamedTuple):
    space: str
    key: str
    path: str
    error_code: ErrorCode


def refuse_duplicates(document: Document) -> None:
    seen: set[tuple[str, str]] = set()
    for use in _uses(document):
        if (use.space, use.key) in seen:
            raise at(use.path, use.error_code.error())
        seen.add((use.space, use.key))


def _uses(document: Document) -> Iterator[Use]:
    yield from _idps(document, "")
    yield from _webhooks(document, "")
    for number, org in enumerate(document.organizations):
        path = f"organizations[{number}]"
        yield from _id(org.id, f"{path}.id")
        yield _name("organization", org.name, f"{path}.name")
        if org.primary_domain:
            yield _name("domain", org.primary_domain, f"{path}.primaryDomain")
        yield from _projects(org, path)
        for group_number, group in enumerate(org.groups or ()):
            yield from _id(group.id, f"{path}.groups[{group_number}].id")
            yield _name(f"groups of {path}", group.name, f"{path}.groups[{group_number}].name")
        yield from _users(org, path)
        yield from _idps(org, path)
        yield from _webhooks(org, path)
        yield from _scim_connections(org, path)
        yield from _outside_servers(org, path)


def _projects(org: Organization, path: str) -> Iterator[Use]:
    for number, project in enumerate(org.projects or ()):
        place = f"{path}.projects[{number}]"
        yield from _id(project.id, f"{place}.id")
        yield _name(path, project.name, f"{place}.name")
        for role_number, role in enumerate(project.roles or ()):
            yield Use(f"roles of {place}", role.role_key, f"{place}.roles[{role_number}].roleKey", NAME_TAKEN)
        for app_number, app in enumerate(project.oidc_apps or ()):
            yield from _app(app, place, f"{place}.oidcApps[{app_number}]")
        for app_number, api_app in enumerate(project.api_apps or ()):
            yield from _app(api_app, place, f"{place}.apiApps[{app_number}]")
            yield from _resources(api_app, f"{place}.apiApps[{app_number}]")
        for grant_number, grant in enumerate(project.grants or ()):
            yield from _id(grant.id, f"{place}.grants[{grant_number}].id")


def _app(app: OidcApp | ApiApp, project_place: str, place: str) -> Iterator[Use]:
    yield from _id(app.id, f"{place}.id")
    if app.client_id != app.id:
        yield from _id(app.client_id, f"{place}.clientId")
    yield _name(project_place, app.name, f"{place}.name")
    yield from _keys(app.keys or (), place)


def _resources(app: ApiApp, place: str) -> Iterator[Use]:
    """Yields each URI once for other APIs, and once for ids, which share their space."""
    for number, uri in enumerate(app.resources):
        if uri in app.resources[:number]:
            continue
        path = f"{place}.resources[{number}]"
        yield Use("resource", resource_key(uri), path, RESOURCE_TAKEN)
        yield from _id(uri, path)


def _users(org: Organization, path: str) -> Iterator[Use]:
    for number, human in enumerate(org.humans or ()):
        place = f"{path}.humans[{number}]"
        yield from _id(human.id, f"{place}.id")
        member = "username" if human.username else "email.email"
        yield _name("user", human.username or human.email.email, f"{place}.{member}")
    for number, service_user in enumerate(org.service_users or ()):
        place = f"{path}.serviceUsers[{number}]"
        yield from _id(service_user.id, f"{place}.id")
        yield _name("user", service_user.username, f"{place}.username")
        yield from _keys(service_user.keys or (), place)


def _idps(owner: Organization | Document, path: str) -> Iterator[Use]:
    outer = f"{path}." if path else ""
    for number, jwt in enumerate(owner.jwt_idps or ()):
        yield from _idp(jwt, path, f"{outer}jwtIdps[{number}]")
    for number, oidc in enumerate(owner.oidc_idps or ()):
        yield from _idp(oidc, path, f"{outer}oidcIdps[{number}]")
    for number, oauth2 in enumerate(owner.oauth2_idps or ()):
        yield from _idp(oauth2, path, f"{outer}oauth2Idps[{number}]")
    for number, ldap in enumerate(owner.ldap_idps or ()):
        yield from _idp(ldap, path, f"{outer}ldapIdps[{number}]")


def _webhooks(owner: Organization | Document, path: str) -> Iterator[Use]:
    place = f"{path}.webhooks" if path else "webhooks"
    for number, webhook in enumerate(owner.webhooks or ()):
        yield from _id(webhook.id, f"{place}[{number}].id")
        yield _name(f"webhooks of {path}", webhook.name, f"{place}[{number}].name")
        if TOKEN_ISSUE in (webhook.event_types or ()):
            key = webhook.project_id or ""
            yield Use("token hooks", key, f"{place}[{number}].projectId", SECOND_HOOK)


def _scim_connections(org: Organization, path: str) -> Iterator[Use]:
    for number, connection in enumerate(org.scim_connections or ()):
        place = f"{path}.scimConnections[{number}]"
        yield from _id(connection.id, f"{place}.id")
        yield _name(f"SCIM connections of {path}", connection.name, f"{place}.name")


def _outside_servers(org: Organization, path: str) -> Iterator[Use]:
    for number, server in enumerate(org.outside_servers or ()):
        place = f"{path}.outsideServers[{number}]"
        yield from _id(server.id, f"{place}.id")
        yield _name(f"outside servers of {path}", server.name, f"{place}.name")


def _idp(idp: JwtIdp | OidcIdp | Oauth2Idp | LdapIdp, path: str, place: str) -> Iterator[Use]:
    yield from _id(idp.id, f"{place}.id")
    yield _name(f"identity providers of {path}", idp.name, f"{place}.name")


def _keys(keys: Sequence[Key], place: str) -> Iterator[Use]:
    for number, key in enumerate(keys):
        key_place = f"{place}.keys[{number}]"
        yield from _id(key.id, f"{key_place}.id")
        if key.id is None:  # its kid is made from the key itself
            yield Use("key", "".join(key.public_key.split()), key_place, ID_TAKEN)


def _id(id: str | None, path: str) -> Iterator[Use]:
    if id is not None:
        yield Use("id", id, path, ID_TAKEN)


def _name(space: str, name: str, path: str) -> Use:
    return Use(space, canonical(name), path, NAME_TAKEN)
