"""The page of a SCIM connection."""

from __future__ import annotations

from typing import Any

import httpx
import pytest
from portico_fakes.console_service import PERMISSIONS, ConsoleService, answering, holding, send

PAGE = "/ui/console/orgs/o1/scim/c1"
URL = "https://login.example/scim/v2/c1"
CONNECTION: dict[str, Any] = {
    "id": "c1",
    "name": "Entra ID",
    "url": URL,
    "details": {"sequence": "1"},
    "provisionsUsers": True,
    "secrets": [{"id": "s1", "creationDate": "2026-11-01T10:00:00Z"}],
    "lastCall": "2026-11-30T09:00:00Z",
    "refusedCalls": [
        {"date": "2026-11-30T09:01:00Z", "request": "PATCH /Users/u1", "httpStatus": 400, "message": "<b>No path. (USER-211)"}
    ],
}  # fmt: skip


async def shown(console: ConsoleService, browser: httpx.AsyncClient, *permissions: str, **changes: Any) -> str:
    answers = console.provider.answers
    answers[PERMISSIONS] = holding(*permissions)
    answers["portico.management.v1.ScimService/GetScimConnection"] = answering({"connection": CONNECTION | changes})
    await console.sign_in(browser, "/ui/console")
    page = await browser.get(PAGE)
    assert page.status_code == 200, page.text
    return page.text


async def test_page_leads_through_the_set_up(console: ConsoleService, browser: httpx.AsyncClient) -> None:
    """The address can be copied, and each directory has its steps with the names of its own fields and a test."""
    page = await shown(console, browser, "org.scim.read", "org.scim.write")

    assert f'id="scim-url" translate="no" dir="ltr">{URL}<' in page
    for word, address in (("entra", "Tenant URL"), ("okta", "Base URL"), ("google", "Endpoint URL")):
        steps = page.split(f'id="steps-{word}"')[1].split("</details>")[0]
        assert address in steps
        assert URL in steps
        assert "test" in steps.lower()
    assert f"{PAGE}/secrets/do/new" in page
    assert f"{PAGE}/do/change" in page


async def test_page_shows_what_came_last(console: ConsoleService, browser: httpx.AsyncClient) -> None:
    """The last accepted call, and each refused one with its time, status and reason, as text."""
    page = await shown(console, browser, "org.scim.read")
    last = page.split('id="last"')[1].split("</section>")[0]

    assert "2026-11-30T09:00:00Z" in last
    for part in ("PATCH /Users/u1", "400", "2026-11-30T09:01:00Z", "&lt;b&gt;No path. (USER-211)"):
        assert part in last


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"lastCall": None}, 'id="never"'),
        ({"secrets": []}, 'id="no-secret"'),
    ],
)
async def test_page_before_the_first_call(
    console: ConsoleService, browser: httpx.AsyncClient, changes: dict[str, Any], expected: str
) -> None:
    """A connection that was never called, and one that has no secret, is shown as such."""
    assert expected in await shown(console, browser, "org.scim.read", **changes)


async def test_reader_is_offered_no_changes(console: ConsoleService, browser: httpx.AsyncClient) -> None:
    """Without org.scim.write there is no link to a form; a second secret fills the connection."""
    read = await shown(console, browser, "org.scim.read")

    assert 'id="read-only"' in read
    assert "/do/" not in read.split('id="object-heading"')[1]
    assert "token" not in read.split('id="secrets"')[1].split("</ul>")[0]


async def test_two_secrets_are_the_most(console: ConsoleService, browser: httpx.AsyncClient) -> None:
    """With two secrets no third one is offered."""
    two = [{"id": f"s{number}", "creationDate": "2026-11-01T10:00:00Z"} for number in range(2)]
    page = await shown(console, browser, "org.scim.read", "org.scim.write", secrets=two)

    assert "secrets/do/new" not in page


async def test_mapping_is_shown_in_words(console: ConsoleService, browser: httpx.AsyncClient) -> None:
    """What the login name is made of, and where attributes are stored; who may change it finds the form."""
    row = {"attribute": "urn:a:User:badge", "destination": "SCIM_DESTINATION_METADATA", "key": "badge"}
    mapping = {"loginName": "SCIM_LOGIN_NAME_EMPLOYEE_NUMBER", "attributes": [row]}
    page = await shown(console, browser, "org.scim.read", "org.scim.write", mapping=mapping)
    section = page.split('id="mapping"')[1].split("</section>")[0]

    for part in (
        "Employee number",
        "urn:a:User:badge",
        "Metadata",
        ">badge<",
        f"{PAGE}/do/mapping",
        "Display name in the directory",
    ):
        assert part in section


async def test_mapping_is_sent_by_its_form(console: ConsoleService, browser: httpx.AsyncClient) -> None:
    """The form has the stored rows, and sends the whole mapping with a row that was added."""
    row = {"attribute": "title", "destination": "SCIM_DESTINATION_NOWHERE"}
    await shown(console, browser, "org.scim.read", "org.scim.write", mapping={"attributes": [row]})
    console.provider.answers["portico.management.v1.ScimService/SetScimMapping"] = answering({})
    form = f"{PAGE}/do/mapping"
    page = (await browser.get(form)).text
    typed = {
        "f.mapping.loginName": "SCIM_LOGIN_NAME_EMAIL",
        "f.mapping.attributes.0.attribute": "title",
        "f.mapping.attributes.0.destination": "SCIM_DESTINATION_METADATA",
        "f.mapping.attributes.0.key": "job",
        "f.mapping.attributes.1.attribute": "phoneNumbers",
        "f.mapping.attributes.1.destination": "SCIM_DESTINATION_NOWHERE",
    }
    answer = await send(browser, form, page=form, **typed)
    [sent] = console.sent("portico.management.v1.ScimService/SetScimMapping")

    assert 'value="title"' in page
    assert (answer.status_code, sent["mapping"]) == (
        303,
        {
            "loginName": "SCIM_LOGIN_NAME_EMAIL",
            "attributes": [
                {"attribute": "title", "destination": "SCIM_DESTINATION_METADATA", "key": "job"},
                {"attribute": "phoneNumbers", "destination": "SCIM_DESTINATION_NOWHERE"},
            ],
        },
    )
