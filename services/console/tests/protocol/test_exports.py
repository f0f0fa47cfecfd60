"""Files of lists: complete or saying that they are not, and harmless in a spreadsheet."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from typing import Any

import httpx
import pytest
from portico_console.console_app.exports import pages, stream
from portico_fakes.console_service import ConsoleService, refusal

PERMISSIONS = "portico.management.v1.CallerService/ListMyPermissions"
LIST = "portico.management.v1.UserService/ListUsers"
USERS = "/ui/console/orgs/o1/users"
FORMULA = '=cmd|"/c calc"!A1'


def answering(body: dict[str, Any]) -> Callable[[dict[str, Any], httpx.Request], httpx.Response]:
    return lambda _fields, _request: httpx.Response(200, json=body)


def user(number: int, name: str = "") -> dict[str, Any]:
    profile = {"displayName": name or f"User {number}", "firstName": "Zoë, \n Ada"}
    return {
        "id": f"u{number}",
        "userName": f"user{number}",
        "state": "USER_STATE_ACTIVE",
        "human": {"profile": profile},
    }


class Users:
    """A list that may change while it is exported: `removed` users are deleted after the first page."""

    def __init__(self, count: int) -> None:
        self.rows = [user(one) for one in range(count)]
        self.removed = 0

    def __call__(self, fields: dict[str, Any], _request: httpx.Request) -> httpx.Response:
        page = fields["query"]
        offset = int(page["offset"])
        rows = self.rows[offset : offset + page["limit"]]
        total = len(self.rows)
        self.rows, self.removed = self.rows[self.removed :], 0
        return httpx.Response(200, json={"result": rows, "details": {"totalResult": str(total)}})


@pytest.fixture
def users() -> Users:
    return Users(2134)


@pytest.fixture
async def signed_in(console: ConsoleService, browser: httpx.AsyncClient, users: Users) -> httpx.AsyncClient:
    held = [{"permission": "user.read", "roles": ["SOME_ROLE"]}]
    console.provider.answers |= {
        PERMISSIONS: answering({"org": {"id": "o1", "name": "Org"}, "permissions": held}),
        LIST: users,
    }
    await console.sign_in(browser, "/ui/console")
    return browser


def rows_of(answer: httpx.Response) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(answer.content.decode("utf-8-sig"), newline="")))


async def test_csv_has_every_row_once(signed_in: httpx.AsyncClient, console: ConsoleService) -> None:
    """The file has all pages of the list, with its search, filter and order."""
    answer = await signed_in.get(f"{USERS}/do/export/csv/file?q=ada&in=email&filter=active&sort=-created")
    rows = rows_of(answer)
    await signed_in.head(f"{USERS}/do/export/csv/file?q=ada&in=email&filter=active&sort=-created")
    asked = [fields for name, fields in console.provider.calls if name == LIST]

    assert [row["ID"] for row in rows] == [f"u{one}" for one in range(2134)]
    assert (
        rows[0] | {"Name": "User 0", "State": "active", "First name": "Zoë, \n Ada", "Email verified": "false"}
        == rows[0]
    )
    assert answer.headers["content-disposition"].startswith('attachment; filename="users-')
    assert answer.content.startswith(b"\xef\xbb\xbfName,State,Groups,Last sign-in,Created,User name,")
    assert answer.content.count(b"\r\n") == 2135
    assert [one["query"]["offset"] for one in asked] == ["0", "950", "1900"]
    assert all(len(one["queries"]) == 4 and "asc" not in one["query"] for one in asked)


async def test_row_is_not_lost_when_others_are_removed(signed_in: httpx.AsyncClient, users: Users) -> None:
    users.removed = 30
    rows = rows_of(await signed_in.get(f"{USERS}/do/export/csv/file"))

    assert [row["ID"] for row in rows] == [f"u{one}" for one in range(2134)]


async def test_formulas_are_text(signed_in: httpx.AsyncClient, users: Users) -> None:
    """A value that a spreadsheet would evaluate begins with an apostrophe."""
    users.rows = [user(1, one) for one in (FORMULA, "+1", "-1", "@SUM(A1)", "\tx", "a=b")]
    rows = rows_of(await signed_in.get(f"{USERS}/do/export/csv/file"))

    assert [row["Name"] for row in rows] == [f"'{FORMULA}", "'+1", "'-1", "'@SUM(A1)", "'\tx", "a=b"]


async def test_json_is_an_array_of_what_the_api_returns(signed_in: httpx.AsyncClient, users: Users) -> None:
    stored = list(users.rows)
    answer = await signed_in.get(f"{USERS}/do/export/json/file")

    assert answer.json() == stored
    assert len(answer.text.splitlines()) == 2134 + 2


@pytest.mark.parametrize("format", ["csv", "json"])
@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (lambda _fields, _request: httpx.Response(401, json={}), "The session has ended. Sign in and export again."),
        (refusal("unavailable", 503, "USER-500", "Try again."), "Try again. (USER-500)"),
    ],
    ids=["session ends", "API fails"],
)
async def test_interrupted_export_says_so(
    console: ConsoleService, signed_in: httpx.AsyncClient, users: Users, format: str, answer: Any, reason: str
) -> None:
    """The last line of the file is an error, and JSON is not closed."""
    console.provider.answers[LIST] = lambda fields, request: (answer if fields["query"]["offset"] != "0" else users)(
        fields, request
    )
    file = await signed_in.get(f"{USERS}/do/export/{format}/file")
    last = file.text.splitlines()[-1]

    assert f"ERROR: This export is incomplete: it has 1000 rows. {reason}" in last
    if format == "json":
        with pytest.raises(json.JSONDecodeError):
            file.json()


@pytest.fixture
def shorter_files(monkeypatch: pytest.MonkeyPatch) -> None:
    """Writing the 100,000 rows of the product takes ten seconds."""
    for module in (stream, pages):
        monkeypatch.setattr(module, "MOST_ROWS", 2_000)


@pytest.mark.usefixtures("shorter_files")
async def test_longest_export_is_complete(signed_in: httpx.AsyncClient, users: Users) -> None:
    users.rows = [{"id": f"u{one}"} for one in range(2_000)]
    page = await signed_in.get(f"{USERS}/do/export/csv")
    rows = rows_of(await signed_in.get(f"{USERS}/do/export/csv/file"))

    assert 'id="export-too-long"' not in page.text
    assert [row["ID"] for row in rows] == [f"u{one}" for one in range(2_000)]


@pytest.mark.usefixtures("shorter_files")
async def test_too_long_export_is_not_silently_cut(signed_in: httpx.AsyncClient, users: Users) -> None:
    users.rows = [{"id": f"u{one}"} for one in range(2_001)]
    page = await signed_in.get(f"{USERS}/do/export/csv")
    file = await signed_in.get(f"{USERS}/do/export/csv/file")

    assert 'id="export-too-long"' in page.text
    assert "A file has at most 100,000 rows. (CONS-290)" in file.text.splitlines()[-1]


async def test_page_states_what_is_exported(signed_in: httpx.AsyncClient) -> None:
    """The list links the page with its search; without a script the page starts the download."""
    query = "q=ada&amp;in=words&amp;sort=-created"
    listed = await signed_in.get(f"{USERS}?q=ada&sort=-created")
    page = await signed_in.get(f"{USERS}/do/export/csv?q=ada&sort=-created")

    assert f'href="{USERS}/do/export/csv?{query}"' in listed.text
    assert "2,134 entries as CSV." in page.text
    assert "Search: Name, email or phone “ada”." in page.text
    assert (
        f'<noscript><meta http-equiv="refresh" content="0;url={USERS}/do/export/csv/file?{query}"></noscript>'
        in page.text
    )


async def test_export_needs_the_permission_of_the_list(console: ConsoleService, signed_in: httpx.AsyncClient) -> None:
    """The file has nothing that the API refuses to list."""
    console.provider.answers[LIST] = refusal("permission_denied", 403, "USER-312", "You are not allowed to do this.")
    page, file, unknown = [await signed_in.get(f"{USERS}/do/export/{one}") for one in ("csv", "json/file", "exe")]

    assert (page.status_code, file.status_code, unknown.status_code) == (403, 403, 404)
    assert "content-disposition" not in file.headers
