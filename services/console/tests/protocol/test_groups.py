"""Groups: many members at once, roles as a checklist, and users of a list into a group or with roles."""

from __future__ import annotations

import re
from typing import Any

import httpx
import pytest
from portico_fakes.console_service import PERMISSIONS, ConsoleService, answering, holding, refusal, send

M = "portico.management.v1"
LIST_USERS = f"{M}.UserService/ListUsers"
ADD = f"{M}.GroupService/AddGroupMember"
SET_ROLES = f"{M}.GroupService/SetGroupRoles"
GRANT = f"{M}.UserGrantService/AddUserGrant"
GROUP = "/ui/console/orgs/o1/groups/g1"
USERS = "/ui/console/orgs/o1/users"
BELONGS = refusal("already_exists", 409, "USER-106", "This member already belongs to this group.")


def user(id: str) -> dict[str, Any]:
    return {"id": id, "userName": f"{id}@mail.example", "human": {"profile": {"displayName": f"Name {id}"}}}


@pytest.fixture
async def signed_in(console: ConsoleService, browser: httpx.AsyncClient) -> httpx.AsyncClient:
    console.provider.answers |= {
        PERMISSIONS: holding("user.read", "user.write", "user.grant.read", "user.grant.write", "project.read", "project.role.read"),
        LIST_USERS: answering({"result": [user("u1"), user("u2"), user("u3")], "details": {"totalResult": "250"}}),
        f"{M}.GroupService/ListGroups": answering({"result": [{"id": "g1", "name": "Sales"}], "details": {"totalResult": "1"}}),
        f"{M}.GroupService/GetGroup": answering({"group": {"id": "g1", "name": "Sales", "details": {"sequence": "8"}}}),
        f"{M}.GroupService/ListGroupRoles": answering({"result": [{"projectId": "p1", "roleKeys": ["admin"]}]}),
        f"{M}.ProjectService/ListProjects": answering({"result": [{"id": "p1", "name": "Shop"}], "details": {"totalResult": "1"}}),
        f"{M}.ProjectService/GetProjectByID": answering({"project": {"id": "p1", "name": "Shop"}}),
        f"{M}.ProjectService/ListProjectRoles": answering({"result": [{"key": "admin"}, {"key": "auditor", "displayName": "Auditor"}]}),
    }  # fmt: skip
    await console.sign_in(browser, "/ui/console")
    return browser


async def test_many_members_are_added_by_one_form(console: ConsoleService, signed_in: httpx.AsyncClient) -> None:
    """Those that belong to the group already are no error."""
    console.provider.answers[ADD] = lambda fields, request: (BELONGS if fields["userId"] == "u2" else answering({}))(
        fields, request
    )
    page = await signed_in.get(f"{GROUP}/members/do/new")
    added = await send(signed_in, f"{GROUP}/members/do/new", **{"user-u1": "on", "user-u2": "on", "user-u3": "on"})

    assert page.text.count('type="checkbox" name="user-') == 3
    assert "These are the first 100." in page.text
    assert [one["userId"] for one in console.sent(ADD)] == ["u1", "u2", "u3"]
    assert added.headers["location"].startswith(f"{GROUP}?said=")


async def test_search_keeps_what_is_ticked(console: ConsoleService, signed_in: httpx.AsyncClient) -> None:
    page = await send(signed_in, f"{GROUP}/members/do/new", **{"user-u9": "on", "q": "ada", "find": "1"})

    assert 'name="user-u9" checked' in page.text
    assert {"wordsQuery": {"text": "ada"}} in console.sent(LIST_USERS)[-1]["queries"]
    assert console.sent(ADD) == []


async def test_refused_members_are_named_and_stay_ticked(console: ConsoleService, signed_in: httpx.AsyncClient) -> None:
    console.provider.answers[ADD] = lambda fields, request: (
        refusal("failed_precondition", 400, "USER-107", "Not possible.") if fields["userId"] == "u2" else answering({})
    )(fields, request)
    page = await send(signed_in, f"{GROUP}/members/do/new", **{"user-u1": "on", "user-u2": "on"})

    assert page.status_code == 400
    assert "1 user was not added" in page.text
    assert re.search(r'name="user-u2" checked>.*Not possible\.', page.text)
    assert 'name="user-u1" checked' not in page.text


async def test_roles_of_a_group_are_a_checklist(console: ConsoleService, signed_in: httpx.AsyncClient) -> None:
    """The roles that the group has are ticked, and the form replaces them."""
    page = await signed_in.get(f"{GROUP}/roles/do/new?project=p1")
    changed = await signed_in.get(f"{GROUP}/roles/p1/do/roles")
    saved = await send(signed_in, f"{GROUP}/roles/do/new?project=p1", project="p1", **{"grant.p1.auditor": "on"})

    assert 'name="grant.p1.admin" checked' in page.text
    assert "Auditor" in page.text
    assert 'name="grant.p1.admin" checked' in changed.text
    assert console.sent(SET_ROLES) == [{"groupId": "g1", "projectId": "p1", "roleKeys": ["auditor"]}]
    assert saved.headers["location"].startswith(f"{GROUP}?said=")


OPEN_GROUP = f'<a class="button second" id="onward" href="{GROUP}">Open the group</a>'


async def confirmed(signed_in: httpx.AsyncClient, word: str, **fields: str) -> httpx.Response:
    rows = {"row-1": "u1", "row-2": "u2"}
    return await send(signed_in, f"{USERS}/do/{word}", page=f"{USERS}/u1/grants/do/new?project=p1", **rows, **fields)


async def test_selected_users_are_added_to_a_group(console: ConsoleService, signed_in: httpx.AsyncClient) -> None:
    """The group is chosen from a list, before anything is done."""
    listed = await signed_in.get(USERS)
    asked = await confirmed(signed_in, "join")
    before = console.sent(ADD)
    done = await confirmed(signed_in, "join", confirmed="1", **{"f.groupId": "g1"})

    assert f'formaction="{USERS}/do/join"' in listed.text
    assert '<option value="g1">Sales</option>' in asked.text
    assert before == []
    assert console.sent(ADD) == [{"userId": id, "groupId": "g1"} for id in ("u1", "u2")]
    assert "2 of 2" in done.text
    assert OPEN_GROUP in done.text


async def test_users_of_a_whole_list_are_added_to_a_group(
    console: ConsoleService, signed_in: httpx.AsyncClient
) -> None:
    """The choice is carried along with what is left."""
    people = [user(f"u{number}") for number in range(60)]
    console.provider.answers[LIST_USERS] = answering({"result": people, "details": {"totalResult": "60"}})
    fields = {"whole": "1", "confirmed": "1", "f.groupId": "g1"}
    page = await send(signed_in, f"{USERS}/do/join", page=f"{USERS}/u1/grants/do/new?project=p1", **fields)

    assert len(console.sent(ADD)) == 40
    assert '<input type="hidden" name="f.groupId" value="g1">' in page.text


async def test_roles_of_a_group_that_changed_meanwhile_are_shown(
    console: ConsoleService, signed_in: httpx.AsyncClient
) -> None:
    """A role that another administrator removed does not come back by a form from before; a second save replaces."""
    path, typed = f"{GROUP}/roles/do/new?project=p1", {"project": "p1", "grant.p1.auditor": "on"}
    overtaken = refusal("failed_precondition", 400, "USER-728", "It was changed.")
    console.provider.answers[SET_ROLES] = lambda fields, request: (
        answering({}) if request.headers.get("if-match") == '"8"' else overtaken
    )(fields, request)

    refused = await send(signed_in, path, **typed, sequence="7")
    saved = await send(signed_in, path, **typed, sequence="8")

    assert refused.status_code == 400
    assert 'name="sequence" value="8"' in refused.text
    assert "<bdi>admin</bdi>" in refused.text.split('id="form-changed"')[1].split("</div>")[0]
    assert 'name="grant.p1.auditor" checked' in refused.text
    assert saved.status_code == 303


async def test_selected_users_get_roles(console: ConsoleService, signed_in: httpx.AsyncClient) -> None:
    """The project first, then its roles; a user that has a role there keeps it."""
    project = await confirmed(signed_in, "grant", confirmed="1")
    roles = await confirmed(signed_in, "grant", confirmed="1", **{"f.projectId": "p1"})
    none = await confirmed(signed_in, "grant", confirmed="1", asked="roleKeys", **{"f.projectId": "p1"})
    console.provider.answers[GRANT] = refusal("already_exists", 409, "USER-120", "There is one.")
    console.provider.answers[f"{M}.UserGrantService/ListUserGrants"] = answering(
        {"result": [{"id": "ug1", "roleKeys": ["admin"]}]}
    )
    before = console.sent(GRANT)
    await confirmed(signed_in, "grant", confirmed="1", **{"f.projectId": "p1", "f.roleKeys.auditor": "on"})

    assert '<option value="p1">Shop</option>' in project.text
    assert 'name="f.roleKeys.auditor"' in roles.text
    assert 'id="confirm-problem"' not in roles.text
    assert 'id="confirm-problem"' in none.text
    assert before == []
    assert console.sent(f"{M}.UserGrantService/UpdateUserGrant") == [
        {"userId": id, "grantId": "ug1", "roleKeys": ["admin", "auditor"]} for id in ("u1", "u2")
    ]


async def test_roles_of_a_granted_project_are_given_in_bulk(
    console: ConsoleService, signed_in: httpx.AsyncClient
) -> None:
    """A project of another organization is offered with the own ones, and its grant is named in the call."""
    granted = f"{M}.ProjectGrantService"
    console.provider.answers |= {
        PERMISSIONS: holding("user.read", "user.grant.read", "user.grant.write", "project.read", "project.role.read", "project.grant.read"),
        f"{granted}/ListGrantedProjects": answering({"result": [{"projectId": "p9", "grantId": "x9", "projectName": "Ledger"}]}),
        f"{granted}/ListGrantedProjectRoles": answering({"result": [{"key": "clerk", "displayName": "Clerk"}]}),
        f"{M}.ProjectService/ListProjectRoles": refusal("not_found", 404, "USER-700", "Project not found."),
    }  # fmt: skip
    projects = await confirmed(signed_in, "grant", confirmed="1")
    roles = await confirmed(signed_in, "grant", confirmed="1", **{"f.projectId": "p9/x9"})
    await confirmed(signed_in, "grant", confirmed="1", **{"f.projectId": "p9/x9", "f.roleKeys.clerk": "on"})

    assert '<option value="p9/x9">Ledger</option>' in projects.text
    assert "Clerk" in roles.text
    assert [one for one in console.sent(GRANT) if one["userId"] == "u1"] == [
        {"userId": "u1", "projectId": "p9", "projectGrantId": "x9", "roleKeys": ["clerk"]}
    ]
