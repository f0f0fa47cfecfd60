"""The figures on the first page of an organization and of the instance."""

from __future__ import annotations

from typing import Any

import httpx
import pytest
from portico_fakes.console_service import ConsoleService

PERMISSIONS = "portico.management.v1.CallerService/ListMyPermissions"
OF_ORG = "portico.management.v1.StatisticsService/GetStatistics"
OF_INSTANCE = "portico.admin.v1.StatisticsService/GetStatistics"
KEYS = "portico.admin.v1.SigningKeyService/ListSigningKeys"
DAYS = [{"date": f"2026-11-{day:02}"} for day in range(1, 30)]
STATISTICS = {
    "users": {"total": 1204, "signedIn": 830},
    "days": [*DAYS, {"date": "2026-11-30", "signIns": 3, "failedSignIns": 1}],
    "refusals": [{"errorId": "AUTHZ-005", "text": "Wrong <redirect>.", "count": 7}, {"errorId": "other", "count": 1}],
    "attention": [
        {"kind": "ATTENTION_KIND_WEBHOOK_FAILS", "count": 1, "id": "w/1", "name": "<b>Hook"},
        {"kind": "ATTENTION_KIND_OF_TOMORROW"},
    ],
}


def answering(body: Any) -> Any:
    return lambda _fields, _request: httpx.Response(200, json=body)


def holding(*permissions: str) -> Any:
    held = [{"permission": one, "roles": ["X"], "everywhere": True} for one in permissions]
    return answering({"org": {"id": "o1", "name": "Org"}, "permissions": held, "instance": True})


@pytest.fixture
async def signed_in(console: ConsoleService, browser: httpx.AsyncClient) -> httpx.AsyncClient:
    console.provider.answers |= {
        PERMISSIONS: holding("org.read", "iam.read"),
        OF_ORG: answering({"statistics": STATISTICS}),
        OF_INSTANCE: answering({"statistics": STATISTICS}),
        KEYS: answering({"result": [{"kid": "k1", "alg": "RS256", "activationDate": "2026-11-20T01:00:00Z"}]}),
    }
    await console.sign_in(browser, "/ui/console")
    return browser


async def test_organization_has_figures_chart_and_reasons(signed_in: httpx.AsyncClient) -> None:
    """The chart has a text alternative, and names are escaped; kinds of newer releases are omitted."""
    text = (await signed_in.get("/ui/console/orgs/o1")).text

    assert "<strong>1204</strong>" in text
    assert text.count("<rect") == 2
    assert "3 sign-ins and 1 failed sign-ins." in text
    assert '<th scope="row">2026-11-30</th><td>3</td><td>1</td>' in text
    assert "Wrong &lt;redirect&gt;." in text
    assert "The webhook &lt;b&gt;Hook fails." in text
    assert 'href="/ui/console/orgs/o1/webhooks/w%2F1"' in text
    assert "style=" not in text
    assert text.count("<li><span>") == 1


async def test_instance_has_the_age_of_keys(signed_in: httpx.AsyncClient) -> None:
    text = (await signed_in.get("/ui/console/instance")).text

    assert "RS256</td><td>10 days" in text
    assert "<strong>830</strong>" in text


async def test_new_installation_has_no_empty_chart(console: ConsoleService, signed_in: httpx.AsyncClient) -> None:
    console.provider.answers[OF_ORG] = answering({"statistics": {"days": DAYS}})
    text = (await signed_in.get("/ui/console/orgs/o1")).text

    assert 'id="no-sign-ins"' in text
    assert "<rect" not in text


async def test_without_permission_nothing_is_asked(console: ConsoleService, signed_in: httpx.AsyncClient) -> None:
    console.provider.answers[PERMISSIONS] = holding("project.read")
    await signed_in.get("/ui/console/orgs/o1")

    assert OF_ORG not in [name for name, _ in console.provider.calls]


RULES, PEOPLE = "portico.admin.v1.PolicyService/GetLoginPolicy", "portico.management.v1.UserService/ListUsers"


async def test_verified_address_does_not_prove_that_emails_arrive(
    console: ConsoleService, signed_in: httpx.AsyncClient
) -> None:
    """The card of the email is never done, and does not keep the others on the page."""
    console.provider.answers |= {
        PERMISSIONS: holding("iam.write", "project.read", "project.app.read"),
        RULES: answering({"policy": {"details": {"changeDate": "2026-11-20T01:00:00Z"}}}),
        PEOPLE: answering({"details": {"totalResult": "1"}}),
        "portico.management.v1.ProjectService/ListProjects": answering(
            {"result": [{"id": "p1", "name": "Shop"}], "details": {"totalResult": "1"}}
        ),
        "portico.management.v1.AppService/ListApps": answering({"result": [{"id": "a1", "name": "Web"}]}),
    }
    alone = (await signed_in.get("/ui/console/orgs/o1")).text
    console.provider.answers[PEOPLE] = answering({"details": {"totalResult": "2"}})
    together = (await signed_in.get("/ui/console/orgs/o1")).text

    [mail] = [one for one in alone.split("<li") if 'id="step-mail"' in one]
    assert "done" not in mail
    assert alone.count("data-done") == 2
    assert "first-steps" not in together
