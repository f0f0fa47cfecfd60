"""Registration links: the code of one registers one passkey for the user, on our own page and without a sign-in."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Final, NamedTuple

from portico_contracts.http import REGISTER_PASSKEY_PAGE
from portico_contracts.users import BeginPasskeyByLink, FinishPasskeyByLink, PasskeyBegun, PasskeyRegistered
from portico_oauth.errors import ErrorCode, Kind
from portico_web.languages import pick_language

from portico_users.accounts.account import readable_login_name
from portico_users.accounts.queries import AccountQueries
from portico_users.credentials.webauthn.ceremonies import Use
from portico_users.credentials.webauthn.edit_passkeys import (
    CredentialRequest,
    NewCredential,
    RegisterCredential,
    VerifyCredential,
)
from portico_users.credentials.webauthn.registration_links import INVALID_LINK, Link, PasskeyLinks
from portico_users.end_users.end_user import EndUser
from portico_users.end_users.url_templates import INVALID_TEMPLATE, filled, is_url_template, page_template
from portico_users.journal.command import Command
from portico_users.notifications.email.message import EmailMessage, EmailTemplate
from portico_users.organizations.org import Org
from portico_users.storage.entry import Work
from portico_users.values.operator_settings import Issuer
from portico_users.values.problems import at

PAGE_MISSING = ErrorCode(
    "USER-542",
    Kind.INVALID_REQUEST,
    "The URL template has no placeholder for the code.",
    "Use the placeholders CodeID and Code, or omit urlTemplate to use the page of this service.",
)
EMAIL_OFF = ErrorCode(
    "USER-543", Kind.UNAVAILABLE, "No mail server is configured.", "Ask the operator to set PORTICO_SMTP_HOST."
)

_CODE_ID: Final = "{{.CodeID}}"


class LinkRequest(NamedTuple):
    url_template: str
    place: str = "urlTemplate"
    emailed: bool = True


class PlannedLink(NamedTuple):
    link: Link
    address: str
    work: Work


@dataclass(frozen=True, slots=True)
class CreatePasskeyLink(Command):
    links: PasskeyLinks
    issuer: Issuer

    async def __call__(self, human: EndUser, org: Org, requested: LinkRequest) -> PlannedLink:
        """Stores the link and enqueues its email in one transaction. Raises as `plan`."""
        planned = self.plan(human, org, requested)
        await self.links.commit(planned.work)
        return planned

    def require_email(self) -> None:
        if self.links.email_queue is None:
            raise EMAIL_OFF.error()

    def plan(self, human: EndUser, org: Org, requested: LinkRequest) -> PlannedLink:
        if requested.emailed:
            self.require_email()
        link, template = self.links.new_link(), self._template(org, requested)
        values = {"UserID": human.id, "Code": link.code, "OrgID": org.id, "LoginName": readable_login_name(human, org)}
        address = filled(template.replace(_CODE_ID, link.id), values)
        message = self._message(human, org, address) if requested.emailed else None
        return PlannedLink(link, address, self.links.write(human, link, message))

    def _template(self, org: Org, requested: LinkRequest) -> str:
        template = requested.url_template
        if not template:
            return f"{page_template(self.issuer + REGISTER_PASSKEY_PAGE)}&codeID={_CODE_ID}"
        if _CODE_ID not in template or "{{.Code}}" not in template:
            raise at(requested.place, PAGE_MISSING.error())
        if not is_url_template(template.replace(_CODE_ID, "x"), org.mail_link_hosts):
            raise at(requested.place, INVALID_TEMPLATE.error())
        return template

    def _message(self, human: EndUser, org: Org, address: str) -> EmailMessage:
        language = pick_language((human.preferred_language,)).tag
        values = {"issuer": self.issuer, "organization": org.name, "link": address, "login_name": human.user_name}
        return EmailMessage(
            template=EmailTemplate.REGISTER_PASSKEY,
            to=human.email,
            language=language,
            values=values,
            org_id=org.id,
            user_id=human.id,
        )


@dataclass(frozen=True, slots=True)
class PasskeyByLink(Command):
    """Registers a passkey by link. Both requests verify the code and count each guess; the passkey uses it up."""

    accounts: AccountQueries
    links: PasskeyLinks
    register: RegisterCredential
    verify: VerifyCredential

    async def begin(self, ask: BeginPasskeyByLink) -> PasskeyBegun:
        """Starts the registration; changes neither the user nor the link."""
        human, org = await self._load(ask)
        requested = CredentialRequest(Use.PASSKEY, begun_by=human.id, link=ask.code_id)
        begun = await self.register(human, readable_login_name(human, org), requested)
        return PasskeyBegun(passkey_id=begun.id, options=json.dumps(begun.options, separators=(",", ":")))

    async def finish(self, ask: FinishPasskeyByLink) -> PasskeyRegistered:
        human, _ = await self._load(ask)
        new = NewCredential(ask.passkey_id, read_credential(ask.credential), only_passkey=True)
        await self.verify(human, Use.PASSKEY, new, actor=human.id, link=ask.code_id)
        return PasskeyRegistered()

    async def _load(self, ask: BeginPasskeyByLink | FinishPasskeyByLink) -> tuple[EndUser, Org]:
        found = await self.accounts.find_end_user(ask.user_id)
        if found is None or not await self.links.is_right(found[0], Link(ask.code_id, ask.code)):
            raise INVALID_LINK.error()
        return found


def read_credential(text: str) -> dict[str, object]:
    """Returns the credential; empty for invalid JSON, which uses up the registration and is then refused."""
    try:
        credential = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    return credential if isinstance(credential, dict) else {}
