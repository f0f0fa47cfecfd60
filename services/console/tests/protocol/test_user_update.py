"""A CSV file that changes users who exist: found by a column, previewed, carried out, and repeated for the rest."""

from __future__ import annotations

import csv
import io
from typing import Any

import httpx
import pytest
from portico_fakes.console_service import ConsoleService, refusal

from .test_user_import import PAGE, calls, chosen, step, summary, upload

M = "portico.management.v1"
U = "portico.user.v2.UserService"
LIST, UPDATE = f"{U}/ListUsers", f"{U}/UpdateHumanUser"
JOIN, LEAVE = f"{M}.GroupService/AddGroupMember", f"{M}.GroupService/RemoveGroupMember"
GRANTS, GRANT, REGRANT = (
    f"{M}.UserGrantService/{one}" for one in ("ListUserGrants", "AddUserGrant", "UpdateUserGrant")
)
HELD = ("user.read", "user.write", "user.grant.read", "user.grant.write", "project.read", "project.role.read")
FILE = "Email,Last name,Groups,Roles\n"


def json(body: dict[str, Any]) -> httpx.Response:
    return httpx.Response(200, json=body)


class Members:
    """Two people of the organization; Ada is in Sales, and Grace has a role."""

    def __init__(self) -> None:
        self.last = {"ada": "Byron", "grace": "Hopper"}
        self.refused = ""

    def found(self, fields: dict[str, Any], _request: httpx.Request) -> httpx.Response:
        query = str(fields["queries"][0])
        return json({"result": [self._user(one) for one in self.last if one in query.casefold()]})

    def _user(self, name: str) -> dict[str, Any]:
        profile = {"firstName": name.title(), "lastName": self.last[name], "nickName": "X"}
        profile["displayName"] = f"{profile['firstName']} {profile['lastName']}"
        human = {"profile": profile, "email": {"email": f"{name}@example.com"}}
        return {"userId": name, "username": name, "human": human | ({"groupNames": ["Sales"]} if name == "ada" else {})}

    def update(self, fields: dict[str, Any], request: httpx.Request) -> httpx.Response:
        if fields["userId"] == self.refused:
            return refusal("unavailable", 503, "USER-910", "Retry later.")(fields, request)
        if "profile" in fields:
            self.last[fields["userId"]] = fields["profile"]["lastName"]
        return json({})


@pytest.fixture
def people() -> Members:
    return Members()


@pytest.fixture
async def signed_in(console: ConsoleService, browser: httpx.AsyncClient, people: Members) -> httpx.AsyncClient:
    held = [{"permission": one, "roles": ["SOME_ROLE"]} for one in HELD]
    grants = {"grace": [{"id": "g1", "projectId": "p1", "roleKeys": ["reader"]}]}
    roles = [{"key": "reader", "displayName": "Reader"}, {"key": "writer", "displayName": "Writer"}]

    def granted(fields: dict[str, Any], _request: httpx.Request) -> httpx.Response:
        return json({"result": grants.get(fields["queries"][0]["userIdQuery"]["userId"], [])})

    console.provider.answers |= {
        f"{M}.CallerService/ListMyPermissions": lambda _f, _r: json({"org": {"id": "o1"}, "permissions": held}),
        f"{M}.GroupService/ListGroups": lambda _f, _r: json({"result": [{"id": "s", "name": "Sales"}, {"id": "d", "name": "Development"}]}),
        f"{M}.ProjectService/ListProjects": lambda _f, _r: json({"result": [{"id": "p1", "name": "Shop"}]}),
        f"{M}.ProjectService/ListProjectRoles": lambda _f, _r: json({"result": roles}),
        LIST: people.found,
        UPDATE: people.update,
        GRANTS: granted,
    }  # fmt: skip
    await console.sign_in(browser, "/ui/console")
    return browser


async def check(browser: httpx.AsyncClient, data: str, match: str = "email") -> httpx.Response:
    return await step(browser, "check", **chosen(await upload(browser, data)), match=match)


async def test_changes_are_shown_before_they_are_carried_out(
    console: ConsoleService, signed_in: httpx.AsyncClient
) -> None:
    """An empty cell changes nothing; groups and roles are added, or removed with a minus; the rest stays."""
    rows = "ADA@example.com,King,-Sales; development,\ngrace@example.com,,,Shop: Writer; shop:-reader\n"
    rows = rows.replace("shop:-reader", "-shop:reader")
    checked = await check(signed_in, FILE + rows)
    before = [name for name, _ in console.provider.calls if name in (UPDATE, JOIN, LEAVE, GRANT, REGRANT)]
    done = await step(signed_in, "import")

    assert summary(checked) == "2 users will be changed."
    assert "Last name: Byron → King; − Sales; + Development" in checked.text
    assert "+ Shop: Writer; − Shop: Reader" in checked.text
    assert before == []
    assert summary(done) == "2 users were changed."
    profile = {"firstName": "Ada", "lastName": "King", "nickName": "X", "displayName": "Ada King"}
    assert calls(console, UPDATE) == [{"userId": "ada", "profile": profile}]
    assert calls(console, JOIN) == [{"groupId": "d", "userId": "ada"}]
    assert calls(console, LEAVE) == [{"groupId": "s", "userId": "ada"}]
    assert calls(console, REGRANT) == [{"userId": "grace", "grantId": "g1", "roleKeys": ["writer"]}]


async def test_rows_with_errors_come_first(signed_in: httpx.AsyncClient) -> None:
    """Each has its reason in the words of the file, and they can be downloaded."""
    rows = "ada@example.com,,Sales,\nnobody@example.com,X,,\ngrace@example.com,,Sailing; Sailing,Shop:owner\n,Y,,\nADA@example.com,Z,,\n"
    checked = await check(signed_in, FILE + rows)
    file = await signed_in.get(f"{PAGE}/report?rows=refused")
    reasons = {row["Row"]: row["Reason"] for row in csv.DictReader(io.StringIO(file.text.lstrip("\ufeff")))}

    assert f'<a class="button second" href="{PAGE}" id="import-other">' in checked.text
    assert summary(checked) == "0 users will be changed. 1 has these values already. 4 rows have errors."
    assert reasons == {
        "3": "No user of this organization is found by the column Email.",
        "4": "There is no group Sailing. There is no role Shop:owner. Write it as Project: role.",
        "5": "The column Email, by which users are found, is empty.",
        "6": "Row 2 is about the same user.",
    }


async def test_rest_is_repeated(console: ConsoleService, signed_in: httpx.AsyncClient, people: Members) -> None:
    """A row that fails is named with its reason; trying again sends it alone."""
    people.refused = "grace"
    await check(signed_in, FILE + "ada@example.com,King,,\ngrace@example.com,Murray,,\n")
    failed = await step(signed_in, "import")
    people.refused = ""
    again = await step(signed_in, "again")
    done = await step(signed_in, "import")

    assert summary(failed) == "1 user was changed. 1 row has an error."
    assert "Retry later." in failed.text
    assert summary(again) == "1 user will be changed."
    assert summary(done) == "2 users were changed."
    assert [one["userId"] for one in calls(console, UPDATE)] == ["ada", "grace", "grace"]


@pytest.mark.parametrize(
    ("file", "match", "problem"),
    [
        ("Email,Last name\na@b.c,X\n", "id", "Choose the column User ID, by which the users are found."),
        ("Email\na@b.c\n", "email", "Choose a column to change."),
        ("Email,Password hash\na@b.c,X\n", "email", "Password hash is only for new users."),
        ("Email,First name,Roles\na@b.c,X,Y\n", "", "Roles is only for users who exist."),
        ("Email,Last name\na@b.c,X\n", "shoe size", "Choose the column shoe size, by which the users are found."),
    ],
)
async def test_unusable_columns_are_refused(signed_in: httpx.AsyncClient, file: str, match: str, problem: str) -> None:
    page = await check(signed_in, file, match)

    assert page.status_code == 400
    assert problem in page.text


async def test_users_are_found_by_other_columns(console: ConsoleService, signed_in: httpx.AsyncClient) -> None:
    console.provider.answers[f"{M}.IDPService/ListOrgIDPs"] = lambda _f, _r: json(
        {"result": [{"id": "corp", "name": "Corp"}]}
    )
    for match, title, query in (
        ("id", "User ID", {"inUserIdsQuery": {"userIds": ["ada"]}}),
        ("user-name", "Login name", {"loginNameQuery": {"loginName": "ada", "method": "TEXT_QUERY_METHOD_EQUALS_IGNORE_CASE"}}),
        ("external:corp", "External ID", {"externalIdQuery": {"idpId": "corp", "externalId": "ada"}}),
    ):  # fmt: skip
        checked = await check(signed_in, f"{title},Last name\nada,King\n", match)

        assert summary(checked) == "1 user will be changed.", match
        assert calls(console, LIST)[-1]["queries"][0] == query
