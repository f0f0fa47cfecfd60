"""Users from a CSV file: preview, columns, a check, the import and its report."""

from __future__ import annotations

import csv
import html
import io
import json
import re
from typing import Any

import httpx
import pytest
from portico_fakes.clock import FrozenClock
from portico_fakes.console_service import ISSUER, ConsoleService, refusal

PERMISSIONS = "portico.management.v1.CallerService/ListMyPermissions"
IMPORT = "portico.management.v1.UserService/ImportHumanUsers"
INVITE = "portico.user.v2.UserService/CreateInviteCode"
PAGE = "/ui/console/orgs/o1/users/do/import"
FILE = "First name;Familienname;E-Mail;Mobile\nGrace;Hopper;grace@example.com;'+49 30 1\nNo;Address;nothing;\nAda;Byron;ada@example.com;\n"


class Users:
    """The import of the management API: addresses without @ are refused, stored users stay as they are."""

    def __init__(self) -> None:
        self.stored: dict[str, dict[str, Any]] = {}

    def __call__(self, fields: dict[str, Any], _request: httpx.Request) -> httpx.Response:
        return httpx.Response(200, json={"result": [self._one(json.loads(row), fields) for row in fields["rows"]]})

    def _one(self, row: dict[str, Any], fields: dict[str, Any]) -> dict[str, Any]:
        address = row["email"]["email"]
        if "@" not in address:
            problem = {"field": "email.email", "id": "USER-005", "text": "Invalid email address."}
            return {"outcome": "IMPORT_OUTCOME_REFUSED", "problems": [problem]}
        if address in self.stored:
            return {"outcome": "IMPORT_OUTCOME_EXISTS", "userId": f"id of {address}"}
        if not fields["dryRun"]:
            self.stored[address] = row
        return {"outcome": "IMPORT_OUTCOME_CREATED", "userId": "" if fields["dryRun"] else f"id of {address}"}


@pytest.fixture
def users() -> Users:
    return Users()


@pytest.fixture
async def signed_in(console: ConsoleService, browser: httpx.AsyncClient, users: Users) -> httpx.AsyncClient:
    held = [{"permission": one, "roles": ["SOME_ROLE"]} for one in ("user.read", "user.write")]
    body = {"org": {"id": "o1", "name": "Org"}, "permissions": held}
    console.provider.answers |= {PERMISSIONS: lambda _fields, _request: httpx.Response(200, json=body), IMPORT: users}
    await console.sign_in(browser, "/ui/console")
    return browser


async def csrf(browser: httpx.AsyncClient) -> str:
    return (await browser.get(PAGE)).text.split('name="csrf" value="')[1].split('"')[0]


async def upload(browser: httpx.AsyncClient, data: bytes | str, **fields: str) -> httpx.Response:
    content = data.encode() if isinstance(data, str) else data
    parts: list[tuple[str, tuple[str | None, str | bytes]]] = [("csrf", (None, await csrf(browser)))]
    parts += [(name, (None, value)) for name, value in fields.items()]
    files = [*parts, ("file", ("people.csv", content))] if data else parts
    answer = await browser.post(PAGE, files=files, headers={"Origin": ISSUER})
    return await browser.get(answer.headers["location"]) if answer.status_code == 303 else answer


async def step(browser: httpx.AsyncClient, word: str = "", **fields: str) -> httpx.Response:
    sent = {"csrf": await csrf(browser), **({"step": word} if word else {}), **fields}
    return await browser.post(f"{PAGE}/rows", data=sent, headers={"Origin": ISSUER})


def chosen(page: httpx.Response) -> dict[str, str]:
    """The targets that the page proposes, as its form sends them."""
    parts = re.findall(r'<select id="[^"]+" name="(column-[^"]+)">(.*?)</select>', page.text, re.DOTALL)
    return {name: (re.findall(r'value="([^"]*)" selected', part) or [""])[0] for name, part in parts}


def calls(console: ConsoleService, method: str) -> list[dict[str, Any]]:
    return [fields for name, fields in console.provider.calls if name == method]


def summary(page: httpx.Response) -> str:
    part = re.findall(r'id="import-summary">(.*?)</p>', page.text, re.DOTALL)[0]
    return html.unescape(" ".join(re.sub(r"<[^>]+>", " ", part).split()))


async def test_file_is_checked_before_users_are_created(
    console: ConsoleService, signed_in: httpx.AsyncClient, users: Users
) -> None:
    """The columns are guessed, the check changes nothing and names row, column and reason, and good rows are created."""
    columns = await upload(signed_in, FILE)
    checked = await step(signed_in, "check", **chosen(columns), verified="on")
    before = dict(users.stored)
    created = await step(signed_in, "import")

    assert list(chosen(columns).values()) == ["first", "last", "email", "phone"]
    assert "Check 3 rows" in columns.text
    assert "+49 30 1" in columns.text
    assert summary(checked) == "2 users can be created. 1 row has an error."
    assert re.search(r"<td>3</td><td><bdi>nothing</bdi></td>.*?Email: Invalid email address\.", checked.text, re.DOTALL)
    assert before == {}
    assert summary(created) == "2 users were created. 1 row has an error."
    assert 'id="import-open"' not in (await signed_in.get(PAGE)).text
    assert users.stored["grace@example.com"] == {
        "profile": {"givenName": "Grace", "familyName": "Hopper"},
        "email": {"email": "grace@example.com", "isVerified": True},
        "phone": {"phone": "+49301"},
    }
    assert [len(one["rows"]) for one in calls(console, IMPORT)] == [3, 2]
    assert calls(console, INVITE) == []


@pytest.mark.parametrize(
    "data",
    [
        "\ufefffirstName,SURNAME,Email Address [Required]\nZoë,Ö,z@x.de\n".encode(),
        "Vorname\tNachname\tE-Mail-Adresse\nZoë\tÖ\tz@x.de\n".encode("utf-16"),
        "Prénom;Nom;Courriel\r\nZoë;Ö;z@x.de\r\n".encode("cp1252"),
        "Full Name|mail\nZoë Ö|z@x.de\n".encode(),
        'given_name,family_name,e-mail\n"Zoë\n","Ö",z@x.de\n\n,,\n'.encode(),
    ],
    ids=["UTF-8 with a mark", "UTF-16 and tabs", "Excel on Windows", "one column of names", "quotes and empty lines"],
)
async def test_files_of_other_programs_are_read(signed_in: httpx.AsyncClient, users: Users, data: bytes) -> None:
    await step(signed_in, "check", **chosen(await upload(signed_in, data)))
    await step(signed_in, "import")

    assert users.stored["z@x.de"]["profile"] == {"givenName": "Zoë", "familyName": "Ö"}


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        ("", "Choose a file, or paste rows."),
        ("First name,Email\n", "The file has no rows below its titles."),
        ("a,b\n" + "x,y\n" * 5_001, "The file has more than 5,000 rows or 1 MiB."),
        ("a,b\n" + f"{'x' * 1024},y\n" * 1_100, "The file has more than 5,000 rows or 1 MiB."),
        (b"PK\x03\x04\x00\x00\n\x00,", "The file is not CSV with at most 50 columns."),
        ('Name,Email,Notes\nAda,a@x.de,"no end\nBob,b@x.de,\n', "The file is not CSV with at most 50 columns."),
    ],
    ids=["nothing", "titles only", "too many rows", "too many bytes", "a workbook", "an open quotation mark"],
)
async def test_unusable_file_is_refused(signed_in: httpx.AsyncClient, data: Any, problem: str) -> None:
    """The reason is at the form, and nothing is stored."""
    answer = await upload(signed_in, data, pasted="" if data else " ")

    assert answer.status_code == 400
    assert problem in answer.text
    assert (await signed_in.get(f"{PAGE}/rows")).headers["location"] == PAGE


async def test_pasted_rows_are_kept_when_refused(signed_in: httpx.AsyncClient, users: Users) -> None:
    refused = await upload(signed_in, "", pasted="Email")
    await step(signed_in, "check", **chosen(await upload(signed_in, "", pasted="Name,Email\nAda Byron,ada@x.de")))
    await step(signed_in, "import")

    assert ">Email</textarea>" in refused.text
    assert list(users.stored) == ["ada@x.de"]


async def test_columns_have_to_be_complete_and_unique(console: ConsoleService, signed_in: httpx.AsyncClient) -> None:
    """A column that is missing or chosen twice is named, the choices stay, and nothing is sent."""
    await upload(signed_in, FILE)
    answer = await step(signed_in, "check", **{f"column-{at}": "last" for at in range(3)}, invite="on")

    assert answer.status_code == 400
    assert re.findall(r'role="alert">([^<]+)<', answer.text) == [
        "Last name is chosen for two columns.",
        "Choose the column with the email address.",
        "Choose the column with the first name, or with the full name.",
    ]
    assert list(chosen(answer).values()) == ["last", "last", "last", ""]
    assert 'name="invite" checked' in answer.text
    assert calls(console, IMPORT) == []


async def test_column_of_last_names_is_not_needed(signed_in: httpx.AsyncClient, users: Users) -> None:
    """People with one name have none (decision 0115)."""
    await upload(signed_in, "First name;E-Mail\nAda;ada@example.com\n")
    await step(signed_in, "check")
    await step(signed_in, "import")

    assert [row["profile"] for row in users.stored.values()] == [{"givenName": "Ada"}]


async def test_repeated_import_changes_nothing(signed_in: httpx.AsyncClient, users: Users) -> None:
    for _ in range(2):
        await step(signed_in, "check", **chosen(await upload(signed_in, FILE)))
        last = await step(signed_in, "import")
        stored = dict(users.stored)

    assert summary(last) == "0 users were created. 2 already exist with the same data. 1 row has an error."
    assert users.stored == stored


async def test_same_user_twice_in_a_file(signed_in: httpx.AsyncClient) -> None:
    """The numbers are those of a spreadsheet, which counts empty lines."""
    await upload(signed_in, "Name,Email\n\nAda Byron,ada@x.de\nAda King,ADA@x.de\n")
    checked = await step(signed_in, "check")

    assert "Row 3 has the same user name." in checked.text
    assert summary(checked) == "1 user can be created. 1 row has an error."


def many(count: int) -> str:
    return "Name,Email\n" + "".join(f"Ada {one},a{one}@x.de\n" for one in range(count))


async def test_interrupted_import_continues(
    console: ConsoleService, signed_in: httpx.AsyncClient, users: Users
) -> None:
    """After an error in the middle, the page states how many rows are done; the others follow, each once."""
    await upload(signed_in, many(250))
    checked = [await step(signed_in, "check"), await step(signed_in), await step(signed_in)][-1]
    await step(signed_in, "import")
    console.provider.answers[IMPORT] = refusal("unavailable", 503, "USER-500", "Try again.")
    broken = await step(signed_in)
    console.provider.answers[IMPORT] = users
    upload_page, reopened = await signed_in.get(PAGE), await signed_in.get(f"{PAGE}/rows")
    done = len(users.stored)
    last = [await step(signed_in), await step(signed_in)][-1]

    assert summary(checked) == "250 users can be created."
    assert broken.status_code == 503
    assert "100 of 250" in reopened.text
    assert "data-send" not in reopened.text
    assert "An import of 250 rows is not finished." in upload_page.text
    assert (done, len(users.stored)) == (100, 250)
    assert summary(last) == "250 users were created."


async def test_invitations_are_sent_once(console: ConsoleService, signed_in: httpx.AsyncClient, users: Users) -> None:
    """Created users are invited, also those of a portion whose results were lost; a failed email is reported."""
    console.provider.answers[INVITE] = lambda fields, request: (
        refusal("failed_precondition", 412, "USER-060", "No email provider.")(fields, request)
        if fields["userId"] == "id of ada@example.com"
        else httpx.Response(200, json={})
    )
    await step(signed_in, "check", **chosen(await upload(signed_in, FILE)), invite="on")
    users.stored["grace@example.com"] = {}
    created = await step(signed_in, "import")

    assert [one["userId"] for one in calls(console, INVITE)] == ["id of grace@example.com", "id of ada@example.com"]
    assert summary(created) == "2 users were created. 1 row has an error."
    assert "No email provider." in created.text


async def test_report_has_rows_that_can_be_imported_again(signed_in: httpx.AsyncClient) -> None:
    """The rows with errors have the columns of the file, their number and the reason; formulas are text."""
    data = "Name,Email\n=1+1,nothing\nAda Byron,ada@x.de\n"
    await step(signed_in, "check", **chosen(await upload(signed_in, data)))
    reports = [await signed_in.get(f"{PAGE}/report{query}") for query in ("", "?rows=refused")]
    rows = [list(csv.reader(io.StringIO(one.content.decode("utf-8-sig"), newline=""))) for one in reports]

    assert rows[0] == [
        ["Row", "Result", "Reason", "Name", "Email"],
        ["2", "refused", "Email: Invalid email address.", "'=1+1", "nothing"],
        ["3", "new", "", "Ada Byron", "ada@x.de"],
    ]
    assert rows[1] == rows[0][:2]


async def test_import_is_stored_for_its_user_only_and_for_an_hour(
    console: ConsoleService, signed_in: httpx.AsyncClient, clock: FrozenClock
) -> None:
    await upload(signed_in, FILE)
    other = await signed_in.get("/ui/console/orgs/o2/users/do/import/rows")
    shown = await signed_in.get(f"{PAGE}/rows")
    console.provider.claims["sub"] = "u2"
    async with console.browser() as second:
        await console.sign_in(second, "/ui/console")
        of_another = await second.get(f"{PAGE}/rows")

    assert (other.status_code, shown.status_code, of_another.status_code) == (303, 200, 303)


async def test_discarded_import_is_deleted(signed_in: httpx.AsyncClient) -> None:
    await upload(signed_in, FILE)
    answer = await step(signed_in, "discard")

    assert "The import was discarded." in (await signed_in.get(answer.headers["location"])).text
    assert (await signed_in.get(f"{PAGE}/rows")).status_code == 303


async def test_import_is_offered_with_the_permission(console: ConsoleService, signed_in: httpx.AsyncClient) -> None:
    allowed = await signed_in.get("/ui/console/orgs/o1/users")
    body = {"org": {"id": "o1", "name": "Org"}, "permissions": [{"permission": "user.read", "roles": ["R"]}]}
    console.provider.answers[PERMISSIONS] = lambda _fields, _request: httpx.Response(200, json=body)
    listed, page = await signed_in.get("/ui/console/orgs/o1/users"), await signed_in.get(PAGE)

    assert [f'href="{PAGE}"' in one.text for one in (allowed, listed)] == [True, False]
    assert 'id="may-not-import"' in page.text


REFUSED = "IMPORT_OUTCOME_REFUSED"


@pytest.mark.parametrize(
    ("row", "field", "reason"),
    [
        ("Ada,Byron,,,", "email.email", "Email is missing."),
        (",Byron,a@b.c,,", "profile.givenName", "First name is missing."),
        ("Ada,Byron,a@b.c,German please,", "profile.preferredLanguage", "German please is not a language. Use a code such as en or pt-BR."),
        ("Ada,Byron,a@b.c,,Sales; Sailing", "groups[1]", "There is no group Sailing."),
        ("Ada,Byron,a@b.c,,", "email.email", "Email: Enter at least 1 characters."),
    ],
)  # fmt: skip
async def test_errors_have_the_words_of_the_file(
    console: ConsoleService, signed_in: httpx.AsyncClient, row: str, field: str, reason: str
) -> None:
    """A missing value is called missing, and a wrong one is named, instead of paths and limits of the API."""
    problem = {"field": field, "id": "USER-303", "text": "Enter at least 1 characters."}
    result = {"result": [{"outcome": REFUSED, "problems": [problem]}]}
    console.provider.answers[IMPORT] = lambda _fields, _request: httpx.Response(200, json=result)
    file = "First name,Last name,Email,Language,Groups\n" + row + "\n"
    columns = await upload(signed_in, file)
    checked = await step(signed_in, "check", **{**chosen(columns), "column-4": "groups"})

    assert reason in html.unescape(checked.text)
