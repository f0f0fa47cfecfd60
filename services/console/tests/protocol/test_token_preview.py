"""The page that shows what a user would get at an application (decisions 0141 and 0142)."""

from __future__ import annotations

import re
from typing import Any, Final

import httpx
import pytest
from portico_fakes.console_service import PERMISSIONS, ConsoleService, answering, holding, refusal, send
from portico_harness.html_forms import Document

PROJECT: Final = "/ui/console/orgs/o1/projects/p1"
PAGE: Final = f"{PROJECT}/apps/a1/preview"
APPS: Final = "portico.management.v1.AppService"
PREVIEW: Final = f"{APPS}/PreviewTokens"
RULE: Final = {"claim": "team", "source": "CLAIM_SOURCE_GROUPS", "in": ["CLAIM_PLACE_USERINFO"]}
NOW: Final = {
    "scopes": ["openid"],
    "droppedScopes": [{"scope": "orders.write", "reason": "SCOPE_REASON_ROLE", "roles": ["buyer"]}],
    "userinfo": {"sub": "u2", "iat": 1},
    "claimRules": [{"claim": "team", "reason": "CLAIM_REASON_NO_VALUE"}],
}
THEN: Final = {
    "scopes": ["openid", "orders.write"],
    "userinfo": {"sub": "u2", "iat": 2, "team": "<b>"},
    "claimRules": [{"claim": "team", "in": ["CLAIM_PLACE_USERINFO"]}],
}


@pytest.fixture
async def signed_in(console: ConsoleService, browser: httpx.AsyncClient) -> httpx.AsyncClient:
    app = {"id": "a1", "name": "Shop", "oidcConfig": {"clientId": "c1", "claimRules": [RULE]}}
    console.provider.answers |= {
        PERMISSIONS: holding("project.app.read", "project.role.read", "project.read"),
        f"{APPS}/GetAppByID": answering({"app": app}),
        f"{APPS}/ListApps": answering({"result": [app, {"id": "a2", "name": "Orders", "apiConfig": {}}]}),
        "portico.management.v1.ProjectService/ListProjectRoles": answering(
            {"result": [{"key": "buyer", "displayName": "Buyer"}, {"key": "seller"}]}
        ),
        PREVIEW: answering({"current": NOW}),
    }
    await console.sign_in(browser, "/ui/console")
    return browser


def rows(page: str) -> dict[str, list[str]]:
    """The cells of each row as text, by the text of its heading."""
    found = {}
    for row in re.findall(r"<tr[^>]*><th scope=\"row\">(.*?)</tr>", page, re.DOTALL):
        title, *cells = [
            re.sub(r"\s+", " ", re.sub(r"<[^>]+>", "", part)).strip() for part in re.split(r"</th>|</td>", row)
        ]
        found[title] = cells[:-1] if cells and not cells[-1] else cells
    return found


async def test_preview_names_reasons_and_changes_nothing(console: ConsoleService, signed_in: httpx.AsyncClient) -> None:
    """Without a choice to compare with, only the stored roles and rules are asked about."""
    shown = await send(signed_in, PAGE, **{"f.userId": "u2", "f.scope": "openid orders.write"})
    [asked] = console.sent(PREVIEW)
    found = rows(shown.text)

    assert asked == {"projectId": "p1", "appId": "a1", "userId": "u2", "scope": "openid orders.write"}
    assert found["Granted scopes"] == ["openid"]
    assert found["Dropped scopes"] == ["orders.write The user needs one of these roles: buyer"]
    assert found["Claim rules"] == ["team Rule of the application The user has no such value."]
    assert "Token hook" not in found


async def test_each_of_many_applications_and_roles_can_be_chosen(
    console: ConsoleService, signed_in: httpx.AsyncClient
) -> None:
    def first_of(entries: list[dict[str, Any]]) -> Any:
        return lambda fields, _request: httpx.Response(200, json={"result": entries[: fields["query"]["limit"]]})

    console.provider.answers |= {
        f"{APPS}/ListApps": first_of([{"id": f"a{n}", "name": f"Shop {n}", "oidcConfig": {"clientId": "c"}} for n in range(300)]),
        "portico.management.v1.ProjectService/ListProjectRoles": first_of([{"key": f"r{n}"} for n in range(300)]),
    }  # fmt: skip
    apps, preview = await signed_in.get(f"{PROJECT}/preview"), await signed_in.get(PAGE)

    assert f"{PROJECT}/apps/a299/preview" in apps.text
    assert 'name="role.r299"' in preview.text


async def test_preview_names_what_gives_a_claim(console: ConsoleService, signed_in: httpx.AsyncClient) -> None:
    """The rule with its origin, and the hook, which adds claims that a preview does not have."""
    ruled = {"claim": "team", "ofProject": True, "in": ["CLAIM_PLACE_USERINFO"]}
    content = {"userinfo": {"sub": "u2", "team": 1}, "introspection": {"team": 1}}
    console.provider.answers[PREVIEW] = answering({"current": {**content, "claimRules": [ruled], "tokenHookId": "h1"}})
    shown = await send(signed_in, PAGE, **{"f.userId": "u2"})
    found = rows(shown.text)

    assert found["Claim rules"] == ["team Rule of the project Userinfo"]
    assert found["Token hook"] == ["h1 It adds claims when tokens are issued. The preview has not called it."]
    assert (found["team Claim rule"], found["team"]) == (
        ["1"],
        ["1"],
    )  # of userinfo, and of introspection without the rule


async def test_other_roles_and_rules_are_compared(console: ConsoleService, signed_in: httpx.AsyncClient) -> None:
    """What differs is marked, but for values that differ between any two tokens."""
    console.provider.answers[PREVIEW] = answering({"current": NOW, "changed": THEN})
    first = Document((await signed_in.get(PAGE)).text).form_with("form-submit")
    assert first is not None
    typed = first.filled("form-submit", {})
    change: dict[str, Any] = {"f.userId": "u2", "other_roles": "on", "role.buyer": "on", "other_rules": "on"}
    shown = await send(signed_in, PAGE, **{**typed, **change})
    asked = console.sent(PREVIEW)[-1]
    found = rows(shown.text)

    assert asked["roles"] == [{"roleKeys": ["buyer"]}]
    assert [one["claim"] for one in asked["change"]["claimRules"]] == ["team"]
    assert found["Granted scopes"] == ["openid", "openid orders.write"]
    assert found["team Claim rule"] == ["", "&#34;&lt;b&gt;&#34;"]
    assert len(re.findall("<strong>", shown.text.split('id="preview"')[1])) == 1


async def test_user_is_searched_and_must_be_chosen(console: ConsoleService, signed_in: httpx.AsyncClient) -> None:
    console.provider.answers["portico.management.v1.SearchService/Search"] = answering(
        {"result": [{"id": "u2", "title": "Ada"}, {"id": "u3", "title": "Adam"}]}
    )
    searched = await send(signed_in, PAGE, **{"f.userId.q": "ada", "find": "1"})
    missing = await send(signed_in, PAGE)

    assert "<bdi>Adam</bdi>" in searched.text
    assert (missing.status_code, "Search for a user and select one." in missing.text) == (400, True)
    assert console.sent(PREVIEW) == []


async def test_refusal_is_shown_with_the_form(console: ConsoleService, signed_in: httpx.AsyncClient) -> None:
    console.provider.answers[PREVIEW] = refusal("failed_precondition", 400, "TOKEN-296", "The user is not active.")
    refused = await send(signed_in, PAGE, **{"f.userId": "u2"})

    assert (refused.status_code, "The user is not active." in refused.text) == (400, True)


async def test_pages_of_application_and_project_lead_to_it(
    console: ConsoleService, signed_in: httpx.AsyncClient
) -> None:
    """The page of the application stays marked as read-only; a project has only applications to choose from."""
    console.provider.answers["portico.management.v1.ProjectService/GetProjectByID"] = answering(
        {"project": {"id": "p1", "name": "Shop"}}
    )
    app, project = [(await signed_in.get(page)).text for page in (f"{PROJECT}/apps/a1", PROJECT)]
    chosen = (await signed_in.get(f"{PROJECT}/preview")).text

    assert f'href="{PAGE}"' in app
    assert 'id="read-only"' in app
    assert f'href="{PROJECT}/preview"' in project
    assert (f'href="{PAGE}"' in chosen, "Orders" in chosen) == (True, False)
