"""The emails to users in the console: a look at each, and one to oneself."""

from __future__ import annotations

from typing import Any

import httpx
import pytest
from portico_console.console_app.email_previews.page import EMAILS
from portico_contracts.generated.portico.management.v1.sender_messages_pb2 import EmailTemplate
from portico_fakes.console_service import ISSUER, PERMISSIONS, ConsoleService, answering, holding, refusal
from portico_harness.html_forms import Document

SENDERS = "portico.management.v1.SenderService"
EMAILS_OF_INSTANCE = "portico.admin.v1.EmailService"
INSTANCE_PAGE = "/ui/console/instance/rules/branding/emails"
PAGE = "/ui/console/orgs/o1/rules/branding/emails"
HTML = '<!doctype html><html lang="de"><body style="margin:0"><script>alert(1)</script>Hallo</body></html>'


@pytest.fixture
async def signed_in(console: ConsoleService, browser: httpx.AsyncClient) -> httpx.AsyncClient:
    console.provider.answers[PERMISSIONS] = holding("org.read", "org.sender.write")
    email = {"subject": "Einladung <1>", "text": "Hallo", "html": HTML}
    console.provider.answers[f"{SENDERS}/PreviewEmail"] = answering(email)
    await console.sign_in(browser, "/ui/console")
    return browser


async def press(browser: httpx.AsyncClient, page: str) -> httpx.Response:
    form = Document((await browser.get(page)).text).form_with("email-send")
    assert form is not None
    return await browser.post(form.action, data=form.filled("email-send", {}), headers={"Origin": ISSUER})


def test_every_email_to_users_has_a_title() -> None:
    known = set(EmailTemplate.DESCRIPTOR.values_by_name) - {"EMAIL_TEMPLATE_UNSPECIFIED"}

    assert {f"EMAIL_TEMPLATE_{one.template}" for one in EMAILS} == known


async def test_email_is_shown_in_a_frame_without_scripts(signed_in: httpx.AsyncClient) -> None:
    """Emails have inline styles, which only the document in the frame may have (AZ-08)."""
    page = await signed_in.get(f"{PAGE}?email=RESET_PASSWORD&language=de")
    shown = await signed_in.get(f"{PAGE}/frame?email=RESET_PASSWORD&language=de")

    assert "Einladung &lt;1&gt;" in page.text
    assert f"frame-src {ISSUER}{PAGE}/frame" in page.headers["content-security-policy"]
    assert "'unsafe-inline'" not in page.headers["content-security-policy"]
    assert shown.text == HTML
    assert "script-src" not in shown.headers["content-security-policy"]
    assert "default-src 'none'" in shown.headers["content-security-policy"]
    assert "style-src 'unsafe-inline'" in shown.headers["content-security-policy"]


async def test_email_is_sent_to_oneself(console: ConsoleService, signed_in: httpx.AsyncClient) -> None:
    """The page stays on the email and its language; a refusal is shown there."""
    asked: list[Any] = []

    def send(fields: Any, _request: httpx.Request) -> httpx.Response:
        asked.append(fields)
        return httpx.Response(200, json={"email": "ada@example.com"})

    console.provider.answers[f"{SENDERS}/SendEmailPreview"] = send
    sent = await press(signed_in, f"{PAGE}?email=INVITE&language=ja")
    after = (await signed_in.get(sent.headers["location"])).text
    console.provider.answers[f"{SENDERS}/SendEmailPreview"] = refusal(
        "failed_precondition", 400, "USER-068", "You have no verified email address."
    )
    refused = await press(signed_in, PAGE)

    assert asked == [{"template": "EMAIL_TEMPLATE_INVITE", "language": "ja"}]
    assert sent.headers["location"].startswith(f"{PAGE}?email=INVITE&language=ja&")
    assert "The email was sent to ada@example.com." in after
    assert 'id="email-problem">You have no verified email address.<' in refused.text


async def test_reader_of_an_organization_cannot_send(console: ConsoleService, signed_in: httpx.AsyncClient) -> None:
    console.provider.answers[PERMISSIONS] = holding("org.read")

    assert "email-send" not in Document((await signed_in.get(PAGE)).text).ids


async def test_instance_has_the_same_pages(console: ConsoleService, signed_in: httpx.AsyncClient) -> None:
    """They show and send the emails with the branding of the instance."""
    asked: list[Any] = []

    def send(fields: Any, _request: httpx.Request) -> httpx.Response:
        asked.append(fields)
        return httpx.Response(200, json={"email": "ada@example.com"})

    everywhere = [{"permission": "iam.write", "roles": ["IAM_OWNER"], "everywhere": True}]
    console.provider.answers[PERMISSIONS] = answering({"instance": True, "permissions": everywhere})
    email = {"subject": "Von der Instanz", "text": "Hallo", "html": HTML}
    console.provider.answers[f"{EMAILS_OF_INSTANCE}/PreviewEmail"] = answering(email)
    console.provider.answers[f"{EMAILS_OF_INSTANCE}/SendEmailPreview"] = send
    page = await signed_in.get(f"{INSTANCE_PAGE}?email=RESET_PASSWORD&language=de")
    shown = await signed_in.get(f"{INSTANCE_PAGE}/frame?email=RESET_PASSWORD&language=de")
    sent = await press(signed_in, f"{INSTANCE_PAGE}?email=RESET_PASSWORD&language=de")

    assert "Von der Instanz" in page.text
    assert shown.text == HTML
    assert asked == [{"template": "EMAIL_TEMPLATE_RESET_PASSWORD", "language": "de"}]
    assert sent.headers["location"].startswith(f"{INSTANCE_PAGE}?email=RESET_PASSWORD&language=de&")
