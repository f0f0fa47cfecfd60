"""Test emails, and the record of whether the mail server accepts emails."""

from __future__ import annotations

import re
from typing import Any

import pytest
from portico_contracts.generated.portico.management.v1.sender_messages_pb2 import EmailTemplate
from portico_fakes.management_api import ManagementApi, call_as
from portico_users.notifications.email.delivery_record import DELIVERY, WRITE_SECONDS, DeliveryRecord
from portico_users.notifications.email.dispatcher import EmailDispatcher
from portico_users.notifications.email.transport import NotNow, Undeliverable

pytestmark = pytest.mark.servers

SERVICE = "portico.admin.v1.EmailService"
STATISTICS = "portico.admin.v1.StatisticsService.GetStatistics"


@pytest.fixture(autouse=True)
async def nothing_sent_yet(managed: Any) -> None:
    for collection in (DELIVERY, "mails"):
        await managed.users.parts.mongo.database[collection].delete_many({})


async def ask(managed: Any, by: str = "iam") -> Any:
    return await call_as(managed, f"{SERVICE}.SendTestEmail", {}, by=by)


async def delivery(managed: Any) -> dict[str, Any]:
    response = await call_as(managed, f"{SERVICE}.GetEmailDelivery", {}, by="iam")
    return dict(response.body)


async def attention(managed: Any) -> dict[str, str]:
    response = await call_as(managed, STATISTICS, {}, by="iam")
    found = response.body["statistics"].get("attention", ())
    return {one["kind"].removeprefix("ATTENTION_KIND_"): one.get("reason", "") for one in found}


async def test_test_email_goes_to_the_callers_verified_address(managed: Any) -> None:
    """The response has the address; the record has the delivery, and nothing needs attention."""
    address = f"iam-{managed.tag}@people.example"
    response = await ask(managed)
    before, [mail] = await delivery(managed), await managed.users.mails_to(address)

    assert response.body == {"email": address}
    assert before == {"mailServerConfigured": True}
    assert "lastDeliveryDate" in (after := await delivery(managed))
    assert "failure" not in after
    assert "Test email from" in str(mail["Subject"])
    assert "NO_EMAIL_DELIVERED" not in await attention(managed)


async def test_unverified_address_gets_no_test_email(managed: Any) -> None:
    """An administrator could otherwise send emails to any address by setting it."""
    users = managed.users.parts.mongo.database["users"]
    await users.update_one({"_id": f"iam-{managed.tag}"}, {"$set": {"emailVerified": False}})
    response = await ask(managed)

    assert (response.code, response.error_code) == (9, "USER-068")
    assert await managed.users.rows("mails") == []


async def test_sixth_test_email_in_ten_minutes_is_refused(managed: Any) -> None:
    """The response has the number of seconds to wait."""
    headers = {"Authorization": f"Bearer {managed.tokens['iam']}"}
    answers = [await managed.api.http.post("/admin/v1/email/_test", json={}, headers=headers) for _ in range(6)]
    managed.users.clock.tick(600)
    later = await ask(managed)

    assert [one.status_code for one in answers] == [200] * 5 + [429]
    assert answers[-1].json()["code"] == 8
    assert answers[-1].headers["retry-after"] == "600"
    assert later.code == 0


async def test_without_a_mail_server_no_test_email_is_sent(managed: Any, mute: ManagementApi) -> None:
    token = mute.token_of(f"iam-{managed.tag}")
    sent = await mute.json(f"{SERVICE}.SendTestEmail", {}, token=token)
    found = await mute.json(f"{SERVICE}.GetEmailDelivery", {}, token=token)

    assert sent.error_code == "USER-067"
    assert "mailServerConfigured" not in found.body


async def test_refused_test_email_shows_the_servers_words(managed: Any) -> None:
    """A refused test email needs attention until an email is delivered, and is not listed as failed."""
    await ask(managed)
    managed.users.kept.failure = Undeliverable("SMTPDataError 554", "554 no <relay>")
    await managed.users.service.find(EmailDispatcher).send_due()
    refused, needed = await delivery(managed), await attention(managed)
    managed.users.kept.failure = None
    managed.users.clock.tick(1)
    await ask(managed)
    await managed.users.service.find(EmailDispatcher).send_due()

    assert refused["failure"] == needed["NO_EMAIL_DELIVERED"] == "554 no <relay>"
    assert "lastDeliveryDate" not in refused
    assert await managed.users.rows("mails") == []
    assert "failure" not in await delivery(managed)
    assert "NO_EMAIL_DELIVERED" not in await attention(managed)


async def test_many_emails_with_one_result_cost_one_write(managed: Any) -> None:
    """Emails of users: a repeated result is recorded once a minute, another result immediately."""
    record = DeliveryRecord(managed.users.parts.mongo.database, clock := managed.users.clock)
    seen = []
    for seconds, failure in ((0, ""), (WRITE_SECONDS - 1, ""), (0, "451"), (0, "451"), (1, ""), (WRITE_SECONDS, "")):
        clock.tick(seconds)
        await (record.failed(failure) if failure else record.delivered())
        found = await record.find()
        seen.append((found.delivered_at, found.failed_at))

    assert len(set(seen)) == 4
    assert seen[0] == seen[1]
    assert seen[2] == seen[3]


async def test_failing_email_of_a_user_is_recorded_without_the_servers_words(managed: Any) -> None:
    """A server can repeat an address or content in its response."""
    managed.users.kept.failure = NotNow("SMTPDataError 451", "451 eve")
    await managed.users.home()
    await managed.users.register(managed.users.mail())
    await managed.users.service.find(EmailDispatcher).send_due()
    managed.users.kept.failure = None

    assert (await delivery(managed))["failure"] == "SMTPDataError 451"


PREVIEWS = "portico.management.v1.SenderService"
POLICIES = "portico.management.v1.PolicyService"


async def test_every_email_to_users_is_shown_and_sent_with_sample_values(managed: Any) -> None:
    """The email that is sent is the one that was shown, and goes only to the caller's verified address."""
    kinds = [name for name in EmailTemplate.DESCRIPTOR.values_by_name if name != "EMAIL_TEMPLATE_UNSPECIFIED"]
    shown = {
        kind: (
            await call_as(managed, f"{PREVIEWS}.PreviewEmail", {"template": kind, "language": "de"}, by="owner")
        ).body
        for kind in kinds
    }
    invite = {"template": "EMAIL_TEMPLATE_INVITE", "language": "de"}
    sent = await call_as(managed, f"{PREVIEWS}.SendEmailPreview", invite, by="owner")
    [mail] = await managed.users.mails_to(f"owner-{managed.tag}@people.example")

    assert len({one["subject"] for one in shown.values()}) >= len(kinds) - 1
    assert all('<html lang="de"' in one["html"] and one["text"] for one in shown.values())
    assert sent.body == {"email": f"owner-{managed.tag}@people.example"}
    assert str(mail["Subject"]) == shown["EMAIL_TEMPLATE_INVITE"]["subject"]


@pytest.mark.parametrize(
    ("template", "form"),
    [("INVITE", "[A-Z2-9]{6}"), ("RESET_PASSWORD", "[A-Z2-9]{6}"), ("EMAIL_CODE_SIGN_IN", "[0-9]{8}")],
)
async def test_code_of_a_sample_has_the_form_of_a_real_one(managed: Any, template: str, form: str) -> None:
    shown = await call_as(managed, f"{PREVIEWS}.PreviewEmail", {"template": f"EMAIL_TEMPLATE_{template}"}, by="owner")

    assert re.search(rf"^ +{form}$", shown.body["text"], re.MULTILINE)


async def test_email_of_the_instance_has_its_branding_and_is_sent_by_its_mail_server(managed: Any) -> None:
    """Texts and links of the caller's own organization, and its sender, are not those of the instance."""
    policy = {"tosLink": f"https://{managed.tag}.example/terms"}
    await call_as(managed, f"{POLICIES}.AddCustomPrivacyPolicy", policy, by="owner")
    body = {"template": "EMAIL_TEMPLATE_ACCOUNT_CHANGED", "language": "pl"}
    own = await call_as(managed, f"{PREVIEWS}.PreviewEmail", body, by="owner")
    shown = await call_as(managed, f"{SERVICE}.PreviewEmail", body, by="iam")
    sent = await call_as(managed, f"{SERVICE}.SendEmailPreview", body, by="iam")
    [mail] = await managed.users.mails_to(f"iam-{managed.tag}@people.example")

    assert managed.tag in own.body["html"]
    assert f"{managed.tag}.example/terms" not in shown.body["html"]
    assert "21 września 2026, 14:13 UTC" in shown.body["text"]
    assert sent.body == {"email": f"iam-{managed.tag}@people.example"}
    assert str(mail["Subject"]) == shown.body["subject"]


async def test_a_preview_needs_a_known_email_and_the_permission_to_send(managed: Any) -> None:
    unknown = await call_as(managed, f"{PREVIEWS}.PreviewEmail", {"template": "EMAIL_TEMPLATE_UNSPECIFIED"}, by="owner")
    body = {"template": "EMAIL_TEMPLATE_INVITE"}
    read = await call_as(managed, f"{PREVIEWS}.PreviewEmail", body, by="viewer")
    refused = await call_as(managed, f"{PREVIEWS}.SendEmailPreview", body, by="viewer")

    assert (unknown.code, read.code, refused.code) == (3, 0, 7)
