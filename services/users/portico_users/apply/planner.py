"""Plans a whole document against the stored state; writes nothing."""

from __future__ import annotations

from collections.abc import AsyncIterator

from portico_contracts.apply import Document, Organization

from portico_users.apply.apps import plan_app
from portico_users.apply.duplicates import refuse_duplicates
from portico_users.apply.finding import Stored
from portico_users.apply.grants import PlannedOrg
from portico_users.apply.humans import plan_human
from portico_users.apply.idps import plan_idp
from portico_users.apply.instance import plan_instance, says_something
from portico_users.apply.organizations import plan_org
from portico_users.apply.projects import plan_project
from portico_users.apply.service_users import plan_service_user
from portico_users.apply.step import Step
from portico_users.orgs.org import Org
from portico_users.projects.project import Project


async def plan(stored: Stored, document: Document) -> list[Step]:
    """A step for every object of the document, parents before children.

    Raises:
        Refusal: the first thing that may not be so, naming its place in the document.
    """
    refuse_duplicates(document)
    orgs: list[Org] = []
    steps: list[Step] = []
    for number, wanted in enumerate(document.organizations):
        path = f"organizations[{number}]"
        org, step = await plan_org(stored, wanted, path)
        orgs.append(org)
        steps += [step, *[inner async for inner in _plan_content(stored, org, wanted, path)]]
    if says_something(document):
        steps.append(await plan_instance(stored, document, orgs))
    return steps


async def _plan_content(stored: Stored, org: Org, wanted: Organization, path: str) -> AsyncIterator[Step]:
    projects: list[Project] = []
    for number, wanted_project in enumerate(wanted.projects):
        project_path = f"{path}.projects[{number}]"
        project, step = await plan_project(stored, org, wanted_project, project_path)
        projects.append(project)
        yield step
        for app_number, app in enumerate(wanted_project.oidc_apps):
            yield await plan_app(stored, project, app, f"{project_path}.oidcApps[{app_number}]")
        for app_number, api_app in enumerate(wanted_project.api_apps):
            yield await plan_app(stored, project, api_app, f"{project_path}.apiApps[{app_number}]")
    home = PlannedOrg(org, tuple(projects))
    for number, jwt_idp in enumerate(wanted.jwt_idps):
        yield await plan_idp(stored, org, jwt_idp, f"{path}.jwtIdps[{number}]")
    for number, oidc_idp in enumerate(wanted.oidc_idps):
        yield await plan_idp(stored, org, oidc_idp, f"{path}.oidcIdps[{number}]")
    for number, human in enumerate(wanted.humans):
        yield await plan_human(stored, home, human, f"{path}.humans[{number}]")
    for number, machine in enumerate(wanted.service_users):
        yield await plan_service_user(stored, home, machine, f"{path}.serviceUsers[{number}]")
