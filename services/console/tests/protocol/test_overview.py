"""The figures on the first page of an organization and of the instance."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from portico_fakes.console_service import ConsoleService, refusal, send

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
        {"kind": "ATTENTION_KIND_CERTIFICATE_ENDS", "count": 1, "id": "i1", "name": "LDAP"},
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

    assert "<strong>1,204</strong>" in text
    assert text.count("<rect") == 2
    assert "3 sign-ins and 1 failed sign-ins." in text
    assert '<th scope="row">2026-11-30</th><td>3</td><td>1</td>' in text
    assert '/audit?error=AUTHZ-005">Wrong &lt;redirect&gt;.</a>' in text
    assert '/audit?only=refusals">Other reasons</a>' in text
    assert "The webhook &lt;b&gt;Hook fails." in text
    assert 'href="/ui/console/orgs/o1/webhooks/w%252F1"' in text
    assert "style=" not in text
    assert "A CA certificate of LDAP has expired or expires within 30 days." in text
    assert 'href="/ui/console/orgs/o1/idps/i1"' in text
    assert text.count("<li><span>") == 2


async def test_instance_has_the_age_of_keys(signed_in: httpx.AsyncClient) -> None:
    text = (await signed_in.get("/ui/console/instance")).text

    assert "RS256</td><td>10 days" in text
    assert "<strong>830</strong>" in text
    assert 'id="to-instance" href="/ui/console/instance" aria-current="page"' in text


async def test_undelivered_emails_lead_to_the_test_email(console: ConsoleService, signed_in: httpx.AsyncClient) -> None:
    """The last response of the mail server is in the sentence."""
    found = {"kind": "ATTENTION_KIND_NO_EMAIL_DELIVERED", "count": 1, "reason": "554 <no> relay"}
    console.provider.answers |= {
        PERMISSIONS: holding("iam.read", "iam.write"),
        OF_INSTANCE: answering({"statistics": {"days": DAYS, "attention": [found]}}),
        DELIVERY: answering({"mailServerConfigured": True, "failure": "554 <no> relay"}),
    }
    text = (await signed_in.get("/ui/console/instance")).text

    assert "No email has been delivered yet. Last response of the mail server: 554 &lt;no&gt; relay" in text
    assert 'href="/ui/console/instance#emails"' in text
    assert 'id="emails"' in text


async def test_address_that_fails_leads_to_its_user(console: ConsoleService, signed_in: httpx.AsyncClient) -> None:
    found = {"kind": "ATTENTION_KIND_ADDRESS_FAILS", "count": 2, "id": "u1", "name": "J\u00f6", "reason": "no <UTF8>"}
    console.provider.answers[OF_ORG] = answering({"statistics": {"days": DAYS, "attention": [found]}})
    text = (await signed_in.get("/ui/console/orgs/o1")).text

    assert "within seven days: 2. The last one was to J\u00f6: no &lt;UTF8&gt;" in text
    assert 'href="/ui/console/orgs/o1/users/u1"' in text


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


DELIVERY, SEND = "portico.admin.v1.EmailService/GetEmailDelivery", "portico.admin.v1.EmailService/SendTestEmail"
PAGE = "/ui/console/orgs/o1"
AT = "2026-11-26T10:00:00Z"


@pytest.fixture
async def beginner(console: ConsoleService, signed_in: httpx.AsyncClient) -> httpx.AsyncClient:
    """Application and rules are done, a colleague is not."""
    console.provider.answers |= {
        PERMISSIONS: holding("iam.read", "iam.write", "project.read", "project.app.read"),
        RULES: answering({"policy": {"details": {"changeDate": "2026-11-20T01:00:00Z"}}}),
        PEOPLE: answering({"details": {"totalResult": "1"}}),
        DELIVERY: answering({"mailServerConfigured": True}),
        SEND: answering({"email": "ada@acme.example"}),
        "portico.management.v1.ProjectService/ListProjects": answering(
            {"result": [{"id": "p1", "name": "Shop"}], "details": {"totalResult": "1"}}
        ),
        "portico.management.v1.AppService/ListApps": answering({"result": [{"id": "a1", "name": "Web"}]}),
    }
    return signed_in


async def mail_card(browser: httpx.AsyncClient) -> str:
    text = (await browser.get(PAGE)).text
    found = [one for one in text.split("<li") if 'id="step-mail"' in one]
    return found[0].partition("</li>")[0] if found else ""


async def test_emails_are_checked_by_a_delivered_email(console: ConsoleService, beginner: httpx.AsyncClient) -> None:
    """Only a delivery finishes the card, and all cards together disappear."""
    before = await mail_card(beginner)
    console.provider.answers[DELIVERY] = answering({"mailServerConfigured": True, "failure": "554 <b>"})
    refused = await mail_card(beginner)
    console.provider.answers[DELIVERY] = answering({"mailServerConfigured": True, "lastDeliveryDate": AT})
    after = await mail_card(beginner)
    console.provider.answers[PEOPLE] = answering({"details": {"totalResult": "2"}})

    assert 'action="/ui/console/orgs/o1/test-email"' in before
    assert "data-done" not in before + refused
    assert "554 &lt;b&gt;" in refused
    assert "data-done" in after
    assert await mail_card(beginner) == ""


async def test_card_says_that_there_is_no_mail_server(console: ConsoleService, beginner: httpx.AsyncClient) -> None:
    """An installation can do without one: the card does not keep the others on the page."""
    console.provider.answers[DELIVERY] = answering({})
    card = await mail_card(beginner)
    console.provider.answers[PEOPLE] = answering({"details": {"totalResult": "2"}})

    assert "PORTICO_SMTP_HOST" in card
    assert "<form" not in card
    assert await mail_card(beginner) == ""


@pytest.mark.parametrize("base", [PAGE, "/ui/console/instance"])
async def test_page_says_where_the_test_email_went(
    console: ConsoleService, beginner: httpx.AsyncClient, base: str
) -> None:
    answers: Iterator[dict[str, str]] = iter([{}, {}])
    last = {"lastDeliveryDate": AT}
    console.provider.answers[DELIVERY] = lambda *_: httpx.Response(
        200, json={"mailServerConfigured": True, **next(answers, last)}
    )
    answer = await send(beginner, f"{base}/test-email", page=base)
    shown = await beginner.get(answer.headers["Location"])

    assert "A test email was sent to ada@acme.example." in shown.text


async def test_refused_test_email_shows_the_response_of_the_server(
    console: ConsoleService, beginner: httpx.AsyncClient
) -> None:
    answers: Iterator[dict[str, str]] = iter([{}, {}])
    last = {"failure": "554 no relay"}
    console.provider.answers[DELIVERY] = lambda *_: httpx.Response(
        200, json={"mailServerConfigured": True, **next(answers, last)}
    )
    shown = await send(beginner, f"{PAGE}/test-email", page=PAGE)

    assert "The test email to ada@acme.example was not accepted: 554 no relay" in shown.text


async def test_test_email_above_the_limit_is_explained_on_the_card(
    console: ConsoleService, beginner: httpx.AsyncClient
) -> None:
    console.provider.answers[SEND] = refusal("resource_exhausted", 429, "USER-062", "Too many emails.")
    shown = await send(beginner, f"{PAGE}/test-email", page=PAGE)

    assert shown.status_code == 429
    assert "Too many emails." in shown.text
    assert 'id="first-steps"' in shown.text
