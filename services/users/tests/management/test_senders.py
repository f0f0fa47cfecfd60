"""Senders of text messages and of an organization's emails."""

from __future__ import annotations

import asyncio
import base64
import hashlib
import hmac
import json
from typing import Any

import pytest
from portico_fakes.management_api import call_as
from portico_harness.eventually import HANGS
from portico_oauth.errors import ServiceError
from portico_users.doctor import check_senders
from portico_users.notifications.email.dispatcher import EmailDispatcher

pytestmark = pytest.mark.servers

ORG = "portico.management.v1.SenderService"
IAM = "portico.admin.v1.SenderService"
RESET = "portico.user.v2.UserService.PasswordReset"
PHONE = "+41791234567"
SMTP = {
    "smtpHost": "mail.example", "smtpPort": 587, "smtpSecurity": "SMTP_SECURITY_STARTTLS", "smtpUser": "portico",
    "smtpPassword": "secret", "fromAddress": "Acme <id@acme.example>",
}  # fmt: skip


@pytest.fixture(autouse=True)
async def no_senders(managed: Any) -> None:
    for collection in ("senders", "mails", "textCounts", "attempts"):
        await managed.users.parts.mongo.database[collection].delete_many({})


def hook(managed: Any, **members: Any) -> dict[str, Any]:
    url = f"https://hooks.example/{managed.tag}"
    return {"url": url, "allowedPrefixes": ["+41"], "messagesPerDay": 5, "messagesPerMonth": 9, **members}


async def do(managed: Any, name: str, body: Any = None, by: str = "owner") -> Any:
    return await call_as(managed, name, {} if body is None else body, by=by)


async def sent(managed: Any) -> list[tuple[str, dict[str, Any], dict[str, str]]]:
    """Sends what waits, and returns the URL, body and headers of each request so far."""
    dispatcher = managed.users.service.find(EmailDispatcher)
    await dispatcher.send_due()
    await dispatcher.finish()
    return [(url, json.loads(text), headers) for url, text, headers in managed.users.posts.got]


async def test_text_message_is_posted_to_the_hook_with_a_signature(managed: Any) -> None:
    """The secret is shown once; the sender then has the result of the delivery."""
    new = await do(managed, f"{ORG}.SetSmsSender", hook(managed))
    await do(managed, f"{ORG}.TestSmsSender", {"phone": PHONE})
    [(url, body, headers)] = await sent(managed)
    shown = (await do(managed, f"{ORG}.GetSmsSender")).body
    key = base64.b64decode(new.body["secret"].removeprefix("whsec_"))
    text = managed.users.posts.got[0][1]
    signed = f"{headers['webhook-id']}.{headers['webhook-timestamp']}.{text}".encode()

    assert (url, body["type"], body["data"]["to"]) == (hook(managed)["url"], "sms.send", PHONE)
    assert headers["webhook-signature"] == f"v1,{base64.b64encode(hmac.digest(key, signed, hashlib.sha256)).decode()}"
    assert (shown["sentToday"], shown["sentThisMonth"]) == (1, 1)
    assert "lastDeliveryDate" in shown["sender"]["delivery"]
    assert not {"secret", "secrets"} & shown["sender"].keys()


async def test_only_owners_change_a_sender(managed: Any) -> None:
    """Who sets one reads the codes and password links of the owners (decision 0109); other roles see it."""
    people = [
        managed.users.human(
            id=f"{name}-{managed.tag}",
            username=f"{name}-{managed.tag}",
            email={"email": managed.users.mail(name), "isVerified": True},
            roles=[role],
        )
        for name, role in (("settings", "ORG_SETTINGS_MANAGER"), ("orgs", "IAM_ORG_MANAGER"))
    ]
    await managed.users.apply({"id": managed.org_id, "name": managed.org_id, "humans": people})
    changes = [
        ("SetSmsSender", hook(managed)),
        ("SetEmailSender", {"url": hook(managed)["url"]}),
        ("SetEmailSender", SMTP),
        ("TestSmsSender", {"phone": PHONE}),
        *((name, {}) for name in ("TestEmailSender", "RemoveSmsSender", "RemoveEmailSender")),
        *((name, {}) for name in ("RotateSmsSenderSecret", "RotateEmailSenderSecret")),
    ]
    for name in ("settings", "orgs"):
        managed.tokens[name] = managed.api.token_of(f"{name}-{managed.tag}")
        refused = [await do(managed, f"{ORG}.{change}", body, by=name) for change, body in changes]

        assert {(one.code, one.error_code) for one in refused} == {(7, "USER-312")}
        assert (await do(managed, f"{ORG}.GetEmailSender", by=name)).code == 0
    assert await managed.users.rows("senders") == []


async def test_organization_uses_its_own_sender_before_that_of_the_instance(managed: Any) -> None:
    await do(managed, f"{IAM}.SetSmsSender", hook(managed, url="https://hooks.example/instance"), by="iam")
    await do(managed, f"{ORG}.SetSmsSender", hook(managed))
    changed = await do(managed, f"{ORG}.SetSmsSender", hook(managed, messagesPerDay=6))
    removed = await do(managed, f"{ORG}.RemoveSmsSender")
    again = await do(managed, f"{ORG}.RemoveSmsSender")
    of_org, of_instance = await do(managed, f"{ORG}.GetSmsSender"), await do(managed, f"{IAM}.GetSmsSender", by="iam")
    # Other tests of the same database need an instance without one.
    await do(managed, f"{IAM}.RemoveSmsSender", by="iam")

    assert (changed.code, "secret" in changed.body, removed.code) == (0, False, 0)
    assert (again.code, again.error_code) == (5, "USER-168")
    assert "sender" not in of_org.body
    assert of_instance.body["sender"]["url"] == "https://hooks.example/instance"


@pytest.mark.parametrize(
    ("change", "error", "field"),
    [
        ({"url": "http://hooks.example/"}, "USER-164", "url"),
        ({"url": "https://127.0.0.1/"}, "USER-164", "url"),
        ({"allowedPrefixes": []}, "USER-165", "allowedPrefixes"),
        ({"allowedPrefixes": ["41"]}, "USER-165", "allowedPrefixes[0]"),
        ({"messagesPerDay": 0}, "USER-166", "messagesPerDay"),
        ({"messagesPerMonth": 4}, "USER-166", "messagesPerMonth"),
    ],
)
async def test_bad_sender_is_refused(managed: Any, change: Any, error: str, field: str) -> None:
    """Every sender limits countries and costs; none makes this service ask private addresses (IP-03)."""
    refused = await do(managed, f"{ORG}.SetSmsSender", hook(managed, **change))

    assert (refused.code, refused.error_code, refused.fields) == (3, error, [field])


async def test_limits_end_messages_and_owners_are_told(managed: Any) -> None:
    """Another country costs more, a number may be an attacker's, and the organization's limit is the last cap."""
    await do(managed, f"{ORG}.SetSmsSender", hook(managed, messagesPerDay=2))
    foreign = await do(managed, f"{ORG}.TestSmsSender", {"phone": "+8821234567"})
    for _ in range(2):
        await do(managed, f"{ORG}.TestSmsSender", {"phone": PHONE})
    third = await do(managed, f"{ORG}.TestSmsSender", {"phone": PHONE})
    mails = await managed.users.mails_to(f"owner-{managed.tag}@people.example")
    managed.users.clock.tick(86_400)
    next_day = await do(managed, f"{ORG}.TestSmsSender", {"phone": PHONE})

    assert (foreign.code, foreign.error_code) == (9, "USER-160")
    assert (third.code, third.error_code) == (8, "USER-163")
    assert ["limit of text messages" in str(mail["Subject"]) for mail in mails] == [True]
    assert next_day.code == 0


async def test_one_number_gets_five_messages(managed: Any) -> None:
    await do(managed, f"{ORG}.SetSmsSender", hook(managed, messagesPerDay=50, messagesPerMonth=50))
    codes = [(await do(managed, f"{ORG}.TestSmsSender", {"phone": PHONE})).error_code for _ in range(6)]

    assert codes == ["", "", "", "", "", "USER-161"]


async def send_to(managed: Any, *phones: str, by: str = "owner") -> list[str]:
    """Returns the error of each message, empty for those that are sent."""
    return [(await do(managed, f"{ORG}.TestSmsSender", {"phone": phone}, by=by)).error_code for phone in phones]


async def test_user_above_the_own_limit_uses_up_no_other(managed: Any) -> None:
    """Otherwise one user could keep messages from any number."""
    await do(managed, f"{ORG}.SetSmsSender", hook(managed, messagesPerDay=50, messagesPerMonth=50))
    own = await send_to(managed, *(f"+4179000000{number}" for number in range(10)))
    refused = await send_to(managed, *[PHONE] * 10)

    assert own == [""] * 10
    assert refused == ["USER-162"] * 10
    assert await send_to(managed, *[PHONE] * 5, by="iam") == [""] * 5


async def test_message_refused_for_its_number_does_not_count_for_its_user(managed: Any) -> None:
    """The user's place is given back, with the delay that it began."""
    await do(managed, f"{ORG}.SetSmsSender", hook(managed, messagesPerDay=50, messagesPerMonth=50))
    await send_to(managed, *[PHONE] * 5)
    refused = await send_to(managed, *[PHONE] * 10)
    others = await send_to(managed, *(f"+4179000000{number}" for number in range(5)))
    managed.users.clock.tick(60)
    by_other = await send_to(managed, PHONE, by="iam")
    late = await send_to(managed, PHONE, "+41790000009")

    assert (refused, others, by_other) == (["USER-161"] * 10, [""] * 5, [""])
    assert late == ["USER-161", ""]


async def test_message_refused_for_its_organization_counts_for_no_other_limit(managed: Any) -> None:
    await do(managed, f"{ORG}.SetSmsSender", hook(managed, messagesPerDay=1))
    assert await send_to(managed, *[PHONE] * 13) == ["", *["USER-163"] * 12]
    await do(managed, f"{ORG}.SetSmsSender", hook(managed, messagesPerDay=50, messagesPerMonth=50))

    assert await send_to(managed, *[PHONE] * 5) == [*[""] * 4, "USER-161"]


async def test_message_waits_while_the_hook_fails_and_goes_when_it_refuses(managed: Any) -> None:
    """Nothing is lost while the hook is unavailable; 400 means that it will never send this message."""
    answers = iter([503, 204, 400])

    async def answer(_body: str) -> int:
        return next(answers)

    managed.users.posts.answers[hook(managed)["url"]] = answer
    await do(managed, f"{ORG}.SetSmsSender", hook(managed))
    await do(managed, f"{ORG}.TestSmsSender", {"phone": PHONE})
    await sent(managed)
    [found] = [one async for one in check_senders(managed.users.parts.mongo.database)]
    failing = (await do(managed, f"{ORG}.GetSmsSender")).body["sender"]["delivery"]
    managed.users.clock.tick(2)
    first, second = await sent(managed)
    await do(managed, f"{ORG}.TestSmsSender", {"phone": PHONE})
    managed.users.clock.tick(2)
    await sent(managed)

    assert failing["failure"] == "the hook responded with status 503"
    assert (found.level, failing["failure"] in found.text) == ("warning", True)
    assert first[2]["webhook-id"] == second[2]["webhook-id"]
    assert await managed.users.rows("mails") == []


async def test_emails_go_by_the_own_hook_but_those_to_stronger_administrators(managed: Any) -> None:
    """Otherwise the operator of the hook could use codes of the instance's administrators (decision 0102)."""
    await do(managed, f"{ORG}.SetEmailSender", {"url": hook(managed)["url"]})
    for user in ("self", "iam"):
        await call_as(managed, RESET, {}, by="iam", path=f"/v2/users/{user}-{managed.tag}/password_reset")
    posted = await sent(managed)
    by_server = await managed.users.mails_to(f"iam-{managed.tag}@people.example")

    assert [(body["type"], body["data"]["to"]) for _, body, _ in posted] == [
        ("email.send", f"self-{managed.tag}@people.example")
    ]
    assert len(by_server) == 1


async def test_password_of_a_mail_server_stays_with_its_host(managed: Any) -> None:
    """Otherwise an administrator could have the stored password sent to their server."""
    kept = {name: value for name, value in SMTP.items() if name != "smtpPassword"}
    new = await do(managed, f"{ORG}.SetEmailSender", SMTP)
    same = await do(managed, f"{ORG}.SetEmailSender", {**kept, "fromAddress": "Other <id@acme.example>"})
    moved = await do(managed, f"{ORG}.SetEmailSender", {**kept, "smtpHost": "mail.evil.example"})
    plain = await do(managed, f"{ORG}.SetEmailSender", {**SMTP, "smtpSecurity": "SMTP_SECURITY_UNSPECIFIED"})
    shown = (await do(managed, f"{ORG}.GetEmailSender")).body["sender"]

    assert (new.code, same.code) == (0, 0)
    assert (moved.error_code, moved.fields) == ("USER-167", ["smtpUser"])
    assert (plain.error_code, plain.fields) == ("USER-167", ["smtpSecurity"])
    assert (shown["smtpSecurity"], shown["fromAddress"]) == ("SMTP_SECURITY_STARTTLS", "Other <id@acme.example>")
    assert "smtpPassword" not in shown


async def test_sender_is_applied_from_a_document(managed: Any) -> None:
    """The secret is shown once; applied again, nothing changes, and another host needs the password again."""

    def document(**members: Any) -> dict[str, Any]:
        return {"organizations": [{"id": managed.org_id, "name": managed.org_id, **members}]}

    mail = {"smtpHost": "mail.example", "smtpPort": 465, "smtpSecurity": "tls", "fromAddress": "id@acme.example"}
    declared = {"smsSender": hook(managed), "emailSender": {**mail, "smtpUser": "us", "smtpPassword": "hush"}}
    first = await managed.users.apply_document(document(**declared))
    again = await managed.users.apply_document(
        document(smsSender=hook(managed), emailSender={**mail, "smtpUser": "us"})
    )
    with pytest.raises(ServiceError) as refused:
        await managed.users.apply_document(
            document(emailSender={**mail, "smtpUser": "us", "smtpHost": "mail.evil.example"})
        )

    senders = [change for change in first.changes if change.kind == "sender"]
    assert [change.generated_secret[:6] for change in senders] == ["whsec_", ""]
    assert {change.action for change in again.changes if change.kind == "sender"} == {"unchanged"}
    assert refused.value.id == "USER-167"


async def test_slow_sender_delays_only_its_own_messages(managed: Any) -> None:
    """Two of its messages are in flight; the third waits for them, and other senders for none."""
    two, going = asyncio.Event(), asyncio.Event()

    async def answer(_body: str) -> int:
        if len(managed.users.posts.got) == 2:
            two.set()
        await going.wait()
        return 204

    managed.users.posts.answers[hook(managed)["url"]] = answer
    await do(managed, f"{ORG}.SetSmsSender", hook(managed))
    for _ in range(3):
        await do(managed, f"{ORG}.TestSmsSender", {"phone": PHONE})
    await call_as(managed, RESET, {}, by="iam", path=f"/v2/users/self-{managed.tag}/password_reset")
    by_server = await managed.users.mails_to(f"self-{managed.tag}@people.example")
    async with asyncio.timeout(HANGS):
        await two.wait()
    in_flight = len(managed.users.posts.got)
    going.set()
    await managed.users.service.find(EmailDispatcher).finish()
    posted = await sent(managed)

    assert (len(by_server), in_flight, len(posted)) == (1, 2, 3)
