"""Lists of all organizations as rows, for spreadsheets and programs: read in pages, so that none is in memory."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from typing import Any, Final, NamedTuple, TextIO

from portico_contracts.apply import ApiApp, EndUser, OidcApp, Organization, ServiceUser
from portico_contracts.csv_files.text import BEGIN, csv_line
from portico_contracts.users import Export, Exported, ExportPart

Row = dict[str, Any]
Ask = Callable[[Export], Exported]

_CAPITALS: Final = re.compile(r"(?=[A-Z])")


class Listed(NamedTuple):
    """`parts` are those of an organization that have the rows."""

    rows: Callable[[Organization], Iterator[Row]]
    parts: tuple[ExportPart, ...]
    columns: tuple[str, ...]


def rows_of(ask: Ask, org_ids: tuple[str, ...], listed: Listed) -> Iterator[Row]:
    for id in org_ids or ask(Export()).org_ids:
        after: str | None = ""
        while after is not None:
            page = ask(Export(org_id=id, after=after, parts=listed.parts))
            for organization in page.document.organizations:
                yield from listed.rows(organization)
            after = page.after or None


def write_csv(file: TextIO, rows: Iterator[Row], columns: tuple[str, ...], advance: Callable[[int], None]) -> None:
    file.write(BEGIN + csv_line([_title(one) for one in columns]))
    for row in rows:
        file.write(csv_line([_text(row[one]) for one in columns]))
        advance(1)


def write_json(file: TextIO, rows: Iterator[Row], columns: tuple[str, ...], advance: Callable[[int], None]) -> None:
    """An array with one object per line."""
    between = "[\n"
    for row in rows:
        file.write(between + json.dumps({one: row[one] for one in columns}, ensure_ascii=False))
        between = ",\n"
        advance(1)
    file.write("\n]\n" if between != "[\n" else "[]\n")


def _title(key: str) -> str:
    """``clientId`` is ``Client ID``."""
    words = " ".join(_CAPITALS.split(key)).lower().replace("uris", "URIs")
    return re.sub(r"\bid\b", "ID", words[:1].upper() + words[1:], flags=re.IGNORECASE)


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return ", ".join(value) if isinstance(value, list) else str(value)


def _users(org: Organization) -> Iterator[Row]:
    for one in org.humans or ():
        yield {
            "organization": org.name,
            "id": one.id or "",
            "userName": one.username or one.email.email,
            "firstName": one.profile.first_name,
            "lastName": one.profile.last_name,
            "displayName": one.profile.display_name,
            "email": one.email.email,
            "emailVerified": one.email.is_verified,
            "phone": one.phone.phone if one.phone else "",
            "language": one.profile.preferred_language,
            "state": _state(one.state),
            "roles": list(one.roles or ()),
        }


def _service_users(org: Organization) -> Iterator[Row]:
    for one in org.service_users or ():
        yield {
            "organization": org.name,
            "id": one.id or "",
            "userName": one.username,
            "name": one.name,
            "description": one.description,
            "state": _state(one.state),
            "roles": list(one.roles or ()),
        }


def _projects(org: Organization) -> Iterator[Row]:
    for one in org.projects or ():
        roles = [role.role_key for role in one.roles or ()]
        yield {
            "organization": org.name, "id": one.id or "", "name": one.name, "state": _state(one.state), "roles": roles,
        }  # fmt: skip


def _applications(org: Organization) -> Iterator[Row]:
    for project in org.projects or ():
        apps: tuple[OidcApp | ApiApp, ...] = (*(project.oidc_apps or ()), *(project.api_apps or ()))
        for app in apps:
            yield {
                "organization": org.name,
                "project": project.name,
                "id": app.id or "",
                "name": app.name,
                "clientId": app.client_id or "",
                "authentication": app.auth_method_type.value,
                "redirectUris": list(app.redirect_uris) if isinstance(app, OidcApp) else [],
                "state": _state(app.state),
            }


def _role_grants(org: Organization) -> Iterator[Row]:
    users: tuple[EndUser | ServiceUser, ...] = (*(org.humans or ()), *(org.service_users or ()))
    for user in users:
        for grant in user.grants or ():
            yield {
                "organization": org.name,
                "userId": user.id or "",
                "userName": user.username or "",
                "grantingOrganizationId": grant.organization or org.id or "",
                "projectId": grant.project,
                "roles": list(grant.role_keys),
                "active": grant.active,
            }


def _state(state: Any) -> str:
    return "active" if state is None else str(state.value)


_OF_USER: Final = (
    "organization", "id", "userName", "firstName", "lastName", "displayName", "email", "emailVerified", "phone", "language",
    "state", "roles",
)  # fmt: skip
LISTS: Final = {
    "users": Listed(_users, (ExportPart.HUMANS,), _OF_USER),
    "service-users": Listed(
        _service_users,
        (ExportPart.SERVICE_USERS,),
        ("organization", "id", "userName", "name", "description", "state", "roles"),
    ),
    "projects": Listed(_projects, (ExportPart.PROJECTS,), ("organization", "id", "name", "state", "roles")),
    "applications": Listed(
        _applications,
        (ExportPart.PROJECTS,),
        ("organization", "project", "id", "name", "clientId", "authentication", "redirectUris", "state"),
    ),
    "role-grants": Listed(
        _role_grants,
        (ExportPart.HUMANS, ExportPart.SERVICE_USERS),
        ("organization", "userId", "userName", "grantingOrganizationId", "projectId", "roles", "active"),
    ),
}
