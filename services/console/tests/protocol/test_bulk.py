"""Actions for the selected rows of a list."""

from __future__ import annotations

import re

import httpx
import pytest
from portico_fakes.console_service import ISSUER, PERMISSIONS, ConsoleService, answering, holding, refusal

USERS = "portico.management.v1.UserService"
USER_API = "portico.user.v2.UserService"
BASE = "/ui/console/orgs/o1"


@pytest.fixture
async def signed_in(console: ConsoleService, browser: httpx.AsyncClient) -> httpx.AsyncClient:
    console.provider.answers |= {
        PERMISSIONS: holding("user.read", "user.write"),
        f"{USERS}/ListUsers": answering({"details": {}}),
    }
    await console.sign_in(browser, "/ui/console")
    return browser


async def test_many_rows_are_processed_in_steps(console: ConsoleService, signed_in: httpx.AsyncClient) -> None:
    """Of 45 rows in three steps each has a result, and a failed one does not stop the others."""
    users = "portico.user.v2.UserService/LockUser"
    taken = refusal("failed_precondition", 412, "USER-200", "Not active.")
    console.provider.answers[users] = lambda fields, request: (
        taken(fields, request) if fields["userId"] == "u7" else httpx.Response(200, json={})
    )
    page = await signed_in.get(f"{BASE}/users")
    csrf = page.text.split('name="csrf" value="')[1].split('"')[0]
    fields = {"csrf": csrf, **{f"row-{at}": f"u{at}" for at in range(45)}}
    path = f"{BASE}/users/do/lock"
    asked = await signed_in.post(path, data=fields, headers={"Origin": ISSUER})
    steps, sent = 0, fields | {"confirmed": "1"}
    while True:
        answer = await signed_in.post(path, data=sent, headers={"Origin": ISSUER})
        steps += 1
        hidden = answer.text.partition('id="go-on"')[2].partition("</form>")[0].split('<input type="hidden" ')[1:]
        if not hidden:
            break
        sent = {one.split('"')[1]: one.split('"')[3] for one in hidden}

    assert console.sent(users) != []
    assert len(re.findall(r"<li><a [^>]*><bdi>u", asked.text)) == 45
    assert (steps, len(console.sent(users))) == (3, 45)
    assert answer.text.count("state good") == 44
    assert answer.text.count("Not active.") == 1


async def test_bulk_action_names_its_rows(console: ConsoleService, signed_in: httpx.AsyncClient) -> None:
    """Confirmation and results show names and addresses, read in one call; deletion needs the number of rows."""
    found = [
        {"id": id, "human": {"profile": {"displayName": name}, "email": {"email": f"{id}@mail.example"}}}
        for id, name in (("u1", "Grace <Hopper>"), ("u2", "Ada"))
    ]
    console.provider.answers |= {
        PERMISSIONS: holding("user.read", "user.write", "user.delete"),
        f"{USERS}/ListUsers": answering({"result": found, "details": {"totalResult": "2"}}),
        f"{USER_API}/DeleteUser": lambda fields, request: (
            refusal("permission_denied", 403, "USER-712", "Not allowed.")(fields, request)
            if fields["userId"] == "u2"
            else httpx.Response(200, json={})
        ),
    }
    path = f"{BASE}/users/do/remove"
    page = await signed_in.get(f"{BASE}/users")
    csrf = page.text.split('name="csrf" value="')[1].split('"')[0]
    rows = {"csrf": csrf, "row-1": "u1", "row-2": "u2"}
    asked = await signed_in.post(path, data=rows, headers={"Origin": ISSUER})
    [one] = [fields["queries"] for fields in console.sent(f"{USERS}/ListUsers") if "inUserIdsQuery" in str(fields)]
    sent = rows | {"confirmed": "1"}
    wrong = await signed_in.post(path, data=sent | {"typed_name": "3"}, headers={"Origin": ISSUER})
    before = console.sent(f"{USER_API}/DeleteUser")
    right = await signed_in.post(path, data=sent | {"typed_name": "2"}, headers={"Origin": ISSUER})

    assert one[1:] == [{"inUserIdsQuery": {"userIds": ["u1", "u2"]}}]
    assert all(text in asked.text for text in ("Delete 2 users", "Grace &lt;Hopper&gt;", "u2@mail.example"))
    assert (wrong.status_code, before) == (400, [])
    assert f'href="{BASE}/users/u2"' in right.text
    assert f'href="{BASE}/users/u1"' not in right.text
    assert "Grace &lt;Hopper&gt;" in right.text
    assert right.text.count("Not allowed.") == 1


@pytest.mark.parametrize("count", [0, 101], ids=["none", "too many"])
async def test_no_row_and_too_many_rows_are_refused(
    console: ConsoleService, signed_in: httpx.AsyncClient, count: int
) -> None:
    page = await signed_in.get(f"{BASE}/users")
    csrf = page.text.split('name="csrf" value="')[1].split('"')[0]
    fields = {"csrf": csrf, "confirmed": "1", **{f"row-{at}": f"u{at}" for at in range(count)}}
    answer = await signed_in.post(f"{BASE}/users/do/lock", data=fields, headers={"Origin": ISSUER})

    assert answer.status_code == 400
    assert 'id="list-problem"' in answer.text
    assert console.sent("portico.user.v2.UserService/LockUser") == []
