from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final, NamedTuple

import msgspec
from portico_contracts.apply import ApiApp, OidcApp, Organization, Project, ServiceUser
from portico_contracts.users import Export, Exported, ExportPart

Ask = Callable[[Export], Exported]

_IDENTITY: Final = frozenset({"id", "client_id"})


class NotFound(LookupError):
    pass


class Home(NamedTuple):
    """The location of an application; ``project`` is None where the organization has none yet."""

    organization: Organization
    project: Project | None


class Registered(NamedTuple):
    organization: Organization
    project: Project
    app: OidcApp | ApiApp


def find_home(ask: Ask, organization: str, project: str) -> Home:
    """By name or id. Defaults: the default organization, else the oldest; the only project."""
    org = _find_organization(ask, organization)
    projects = org.projects or ()
    if project:
        return Home(org, _one([one for one in projects if project in (one.id, one.name)], "project", project, org))
    if len(projects) > 1:
        names = ", ".join(one.name for one in projects)
        raise NotFound(f"The organization {org.name} has several projects: {names}. Choose one with --project.")
    return Home(org, projects[0] if projects else None)


def find_apps(ask: Ask, organization: str, app: str) -> Registered:
    """Finds the application or API by client id, id or name; raises NotFound for several with the name."""
    found: list[Registered] = []
    for org in [_find_organization(ask, organization)] if organization else _organizations(ask):
        for project in org.projects or ():
            for one in apps_of(project):
                if app in (one.client_id, one.id):
                    return Registered(org, project, one)
                if app == one.name:
                    found.append(Registered(org, project, one))
    if not found:
        raise NotFound(f"Application {app} not found.")
    if len(found) > 1:
        which = ", ".join(f"{one.app.client_id} ({one.organization.name}, {one.project.name})" for one in found)
        raise NotFound(f"{len(found)} applications are named {app}. Use a client id: {which}.")
    return found[0]


def omitted(declared: Project | OidcApp | ApiApp | ServiceUser) -> dict[str, Any]:
    """What a document may omit: sent as it was exported, it would undo what an administrator has changed meanwhile."""
    fields = msgspec.structs.fields(declared)
    return {one.name: None for one in fields if one.default is None and one.name not in _IDENTITY}


def apps_of(project: Project | None) -> list[OidcApp | ApiApp]:
    return [*(project.oidc_apps or ()), *(project.api_apps or ())] if project else []


def _find_organization(ask: Ask, named: str) -> Organization:
    if not named:
        instance = ask(Export())
        if not instance.org_ids:
            raise NotFound("No organization exists yet. Create one with `portico apply`.")
        return _organization(ask, instance.document.default_organization or instance.org_ids[0])
    for org in _organizations(ask):
        if named in (org.id, org.name):
            return org
    raise NotFound(f"Organization {named} not found.")


def _organizations(ask: Ask) -> Iterator[Organization]:
    for id in ask(Export()).org_ids:
        yield _organization(ask, id)


def _organization(ask: Ask, id: str) -> Organization:
    [organization] = ask(Export(org_id=id, parts=(ExportPart.PROJECTS,))).document.organizations
    return organization


def _one(found: list[Project], kind: str, named: str, org: Organization) -> Project:
    if not found:
        known = ", ".join(one.name for one in org.projects or ()) or "none"
        raise NotFound(f"The organization {org.name} has no {kind} {named}. It has: {known}.")
    return found[0]
