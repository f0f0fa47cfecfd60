"""Which sender a message has, for all templates of emails and purposes of text messages (decisions 0102 and 0109).

Tests of senders are left out: they name their sender.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import msgspec
import pytest
from portico_contracts.users import (
    ACT_FOR_USER,
    REGISTER,
    SEND_EMAIL_CODE,
    SEND_FACTOR_EMAIL,
    SEND_FACTOR_TEXT,
    SEND_PASSWORD_LINK,
    ActForUser,
    Register,
    SendEmailCode,
    SendFactorEmail,
    SendFactorText,
    SendPasswordLink,
)
from portico_contracts.users.email_codes import SEND_SIGN_IN_CODE, SendSignInCode
from portico_contracts.users.enrolment import BEGIN_ENROLMENT, BeginEnrolment
from portico_fakes.management_api import call_as
from portico_users.after_response import AfterResponse
from portico_users.notifications.email.message import EmailMessage, EmailTemplate
from portico_users.notifications.email.queue import EmailQueue
from portico_users.notifications.email.text_message import TextMessage, TextPurpose
from portico_users.notifications.senders.choice import SenderChoice
from portico_users.notifications.senders.own_senders import OwnSenders

pytestmark = pytest.mark.servers

SENDERS = "portico.management.v1.SenderService"
INSTANCE_SENDERS = "portico.admin.v1.SenderService"
USER = "portico.user.v2.UserService"
PASSWORD = "nine small sparrows"
PHONE = "+41791234567"
TEXTS = {"allowedPrefixes": ["+41"], "messagesPerDay": 3, "messagesPerMonth": 50}
OF_ORG, OF_INSTANCE = "https://hooks.example/of-org", "https://hooks.example/of-instance"

Kind = EmailTemplate | TextPurpose


class Recipients:
    """Two users of an organization with its own senders: one with a password, one who was only invited."""

    def __init__(self, managed: Any) -> None:
        self.managed = managed
        self.world = managed.users
        self.id, self.invited = f"pat-{managed.tag}", f"nora-{managed.tag}"
        self.chosen: dict[Kind, set[str]] = {}
        """The URLs of the senders of each kind of message to them; empty for the mail server of the instance."""

    async def set_up(self, *roles: str) -> None:
        await self.world.parts.mongo.database["mails"].delete_many({})
        org_id = self.managed.org_id
        policy = {"mayRegister": True, "allowEmailCodeSignIn": True}
        pat = self._human("pat", roles=[*roles, "ORG_OWNER"])
        nora = self._human("nora", roles=list(roles), password=None, email={"email": self.world.mail("nora")})
        shop = {"name": "shop", "oidcApps": [self.world.app()]}
        org = {"id": org_id, "name": org_id, "loginPolicy": policy, "humans": [pat, nora], "projects": [shop]}
        await self.world.apply_document({"allowImpersonation": True, "organizations": [org]})
        await call_as(self.managed, f"{INSTANCE_SENDERS}.SetSmsSender", {**TEXTS, "url": OF_INSTANCE}, by="iam")
        await call_as(self.managed, f"{SENDERS}.SetSmsSender", {**TEXTS, "url": OF_ORG}, by="iam")
        await call_as(self.managed, f"{SENDERS}.SetEmailSender", {"url": OF_ORG}, by="iam")

    def _human(self, name: str, **members: Any) -> dict[str, Any]:
        id, address = f"{name}-{self.managed.tag}", {"email": self.world.mail(name), "isVerified": True}
        human = self.world.human(**{"id": id, "username": id, "email": address, **members})
        return {member: value for member, value in human.items() if value is not None}

    async def do(self, method: str, path: str, *, user_id: str = "", by: str = "iam", **body: Any) -> None:
        path = f"/v2/users/{user_id or self.id}/{path}"
        answer = await call_as(self.managed, f"{USER}.{method}", body, by=by, path=path)
        assert answer.code == 0, answer.body

    async def get_all_messages(self) -> None:
        """Has every message sent that a user can get, but tests of senders."""
        call, mail = self.world.call, self.world.mail("pat")
        new = Register(
            email=mail, first_name="P", last_name="A", password=PASSWORD, sender="", org_id=self.managed.org_id
        )
        await call(REGISTER, new)
        await call(SEND_PASSWORD_LINK, SendPasswordLink(login_name=self.id, sender=""))
        await call(SEND_SIGN_IN_CODE, SendSignInCode(login_name=self.id, org_id="", sender=""))
        await self.world.service.find(AfterResponse).close()
        await call(BEGIN_ENROLMENT, BeginEnrolment(user_id=self.id))
        await call(SEND_EMAIL_CODE, SendEmailCode(user_id=self.invited))
        await self.do("CreateInviteCode", "invite_code", user_id=self.invited)
        await self.do("CreatePasskeyRegistrationLink", "passkeys/registration_link", sendLink={})
        client = self.world.app()["clientId"]
        await call(ACT_FOR_USER, ActForUser(actor_id=f"iam-{self.managed.tag}", user_id=self.id, client_id=client))
        await self._use_factors()

    async def _use_factors(self) -> None:
        self.managed.tokens["pat"] = self.managed.api.token_of(self.id)
        await self.do("AddOTPEmail", "otp_email", by="pat")
        await self.world.call(SEND_FACTOR_EMAIL, SendFactorEmail(user_id=self.id))
        await self.do("SetPhone", "phone", phone=PHONE, sendCode={})
        await self._find_senders()
        await self.do("SetPhone", "phone", phone=PHONE, isVerified=True)
        await self.do("AddOTPSMS", "otp_sms", by="pat")
        await self.world.call(SEND_FACTOR_TEXT, SendFactorText(user_id=self.id))
        # The third message of the day, after which owners are notified.
        await call_as(self.managed, f"{SENDERS}.TestSmsSender", {"phone": PHONE}, by="iam")
        await self._find_senders()

    async def _find_senders(self) -> None:
        queue, senders = self.world.service.find(EmailQueue), self.world.service.find(OwnSenders)
        addresses = {self.world.mail("pat"), self.world.mail("nora"), PHONE}
        while claimed := await queue.claim():
            message = claimed.message
            kind = message.template if isinstance(message, EmailMessage) else message.purpose
            if message.to in addresses and kind not in (EmailTemplate.TEST, TextPurpose.TEST):
                chosen = await senders.find(message)
                self.chosen.setdefault(kind, set()).add(chosen.sender.url if chosen else "")


def senders_of_all(*, emails: str, texts: str) -> dict[Kind, set[str]]:
    wanted: dict[Kind, set[str]] = {one: {emails} for one in EmailTemplate if one is not EmailTemplate.TEST}
    wanted.update({one: {texts} for one in TextPurpose if one is not TextPurpose.TEST})
    return wanted


@pytest.fixture
async def recipients(managed: Any) -> AsyncIterator[Recipients]:
    database = managed.users.parts.mongo.database
    for collection in ("senders", "textCounts", "attempts"):
        await database[collection].delete_many({})
    yield Recipients(managed)
    await database["senders"].delete_many({"ownerKey": {"$regex": ":instance$"}})  # it is for all tests


async def test_no_message_to_an_administrator_of_the_instance_is_sent_by_the_organization(
    recipients: Recipients,
) -> None:
    """Its operator could read the code or link, and take over the rights of the recipient (decision 0102)."""
    await recipients.set_up("IAM_OWNER_VIEWER")
    await recipients.get_all_messages()

    assert recipients.chosen == senders_of_all(emails="", texts=OF_INSTANCE)


async def test_messages_to_other_users_are_sent_by_the_organization(recipients: Recipients) -> None:
    await recipients.set_up()
    await recipients.get_all_messages()

    assert recipients.chosen == senders_of_all(emails=OF_ORG, texts=OF_ORG)


async def test_message_to_an_unknown_user_is_sent_by_the_instance(managed: Any, recipients: Recipients) -> None:
    """Nothing shows that the recipient has no roles (decision 0109)."""
    await recipients.set_up()
    choice = managed.users.service.find(SenderChoice)
    text = await choice.find_for_text(managed.org_id, "")

    assert text is not None
    assert text.url == OF_INSTANCE
    assert await choice.find_for_email(managed.org_id, "") is None


@pytest.mark.parametrize("kind", [EmailMessage, TextMessage])
def test_messages_have_no_default_for_user_or_organization(kind: type[msgspec.Struct]) -> None:
    """The type checker finds each place that does not name them."""
    required = {field.name for field in msgspec.structs.fields(kind) if field.required}

    assert {"org_id", "user_id"} <= required
