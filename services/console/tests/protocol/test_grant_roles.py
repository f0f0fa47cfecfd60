"""Granting a user roles: the project by its name, then its roles by theirs."""

from __future__ import annotations

from typing import Any

import httpx
import pytest
from portico_fakes.console_service import ISSUER, ConsoleService, refusal

M = "portico.management.v1"
PAGE = "/ui/console/orgs/o1/users/u1/grants/do/new"
GRANT = f"{M}.UserGrantService/AddUserGrant"
PERMISSIONS = ("user.read", "user.grant.write", "project.read", "project.role.read", "project.grant.read")
ROLES = {"result": [{"key": "dev.ops", "displayName": "Dev & <b>Ops"}, {"key": "plain"}]}


def answering(body: dict[str, Any]) -> Any:
    return lambda _fields, _request: httpx.Response(200, json=body)


@pytest.fixture
async def signed_in(console: ConsoleService, browser: httpx.AsyncClient) -> httpx.AsyncClient:
    held = [{"permission": one, "roles": ["ORG_OWNER"], "everywhere": True} for one in PERMISSIONS]
    lent = {"projectId": "p2", "grantId": "g2", "projectName": "Fleet", "projectOwnerName": "Acme"}
    console.provider.answers |= {
        f"{M}.CallerService/ListMyPermissions": answering({"org": {"id": "o1"}, "permissions": held}),
        f"{M}.ProjectService/ListProjects": answering({"result": [{"id": "p1", "name": "Shop"}]}),
        f"{M}.ProjectService/GetProjectByID": answering({"project": {"id": "p1", "name": "Shop"}}),
        f"{M}.ProjectService/ListProjectRoles": answering(ROLES),
        f"{M}.ProjectGrantService/ListGrantedProjects": answering({"result": [lent]}),
        f"{M}.ProjectGrantService/GetGrantedProjectByID": answering({"grantedProject": lent}),
        f"{M}.ProjectGrantService/ListGrantedProjectRoles": answering(ROLES),
        GRANT: answering({"userGrantId": "ug1"}),
    }
    await console.sign_in(browser, "/ui/console")
    return browser


async def grant(browser: httpx.AsyncClient, **fields: str) -> httpx.Response:
    csrf = (await browser.get(f"{PAGE}?project=p1")).text.split('name="csrf" value="')[1].split('"')[0]
    return await browser.post(PAGE, data={"csrf": csrf, **fields}, headers={"Origin": ISSUER})


async def test_project_and_roles_are_chosen_by_name(signed_in: httpx.AsyncClient) -> None:
    """No script is needed, and the names are escaped."""
    projects = (await signed_in.get(PAGE)).text
    own, lent = [(await signed_in.get(PAGE, params={"project": one})).text for one in ("p1", "p2/g2")]

    assert 'name="project" value="p1"' in projects
    assert 'name="project" value="p2/g2"' in projects
    assert "Roles in Shop" in own
    assert "Roles in Fleet" in lent
    for page, project in ((own, "p1"), (lent, "p2/g2")):
        assert f'name="grant.{project}.dev.ops"> <bdi>Dev &amp; &lt;b&gt;Ops</bdi>' in page
        assert f'name="grant.{project}.plain"> <bdi>plain</bdi>' in page


@pytest.mark.parametrize(("project", "more"), [("p1", {}), ("p2/g2", {"projectGrantId": "g2"})])
async def test_chosen_roles_are_granted(
    console: ConsoleService, signed_in: httpx.AsyncClient, project: str, more: dict[str, str]
) -> None:
    granted = await grant(signed_in, project=project, **{f"grant.{project}.dev.ops": "on"})

    assert granted.headers["location"].startswith("/ui/console/orgs/o1/users/u1/access?")
    [sent] = [fields for name, fields in console.provider.calls if name == GRANT]
    assert sent == {"userId": "u1", "projectId": project[:2], "roleKeys": ["dev.ops"], **more}


async def test_refused_grant_keeps_the_choice(console: ConsoleService, signed_in: httpx.AsyncClient) -> None:
    none = await grant(signed_in, project="p1")
    console.provider.answers[GRANT] = refusal("already_exists", 409, "USER-320", "The user has roles in this project.")
    refused = await grant(signed_in, project="p1", **{"grant.p1.plain": "on"})

    assert none.status_code == 400
    assert "Select at least one role." in none.text
    assert refused.status_code == 409
    assert "The user has roles in this project." in refused.text
    assert 'name="grant.p1.plain" checked' in refused.text


async def test_every_role_of_a_project_is_listed(console: ConsoleService, signed_in: httpx.AsyncClient) -> None:
    """A long list shows how many entries it has, and can be searched."""
    roles = [{"key": f"r{number}"} for number in range(300)]
    console.provider.answers[f"{M}.ProjectService/ListProjectRoles"] = answering({"result": roles})
    page = await signed_in.get(f"{PAGE}?project=p1")

    assert page.text.count('name="grant.p1.r') == 300
    assert "300 entries" in page.text
    assert "data-finder" in page.text
    [asked] = [fields for name, fields in console.provider.calls if name == f"{M}.ProjectService/ListProjectRoles"]
    assert asked["query"]["limit"] == 1000


async def test_further_projects_are_counted(console: ConsoleService, signed_in: httpx.AsyncClient) -> None:
    console.provider.answers[f"{M}.ProjectService/ListProjects"] = answering(
        {"details": {"totalResult": "250"}, "result": [{"id": "p1", "name": "Shop"}]}
    )
    page = await signed_in.get(PAGE)

    assert "2 of 250 projects. Search for the others by name." in page.text
    assert 'id="find-q"' in page.text
