"""Creates registration links: the code of one registers one passkey for the user."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, NamedTuple

from portico_contracts.http import REGISTER_PASSKEY_PAGE
from portico_oauth.errors import ErrorCode, Kind
from portico_web.languages import pick_language

from portico_users.commands.command import Command
from portico_users.credentials.webauthn.registration_links import Link, PasskeyLinks
from portico_users.directory.accounts.account import login_name
from portico_users.directory.organizations.org import Org
from portico_users.directory.people.human import Human
from portico_users.directory.people.url_templates import INVALID_TEMPLATE, filled, is_url_template, page_template
from portico_users.kernel.entry import Work
from portico_users.kernel.operator_settings import Issuer
from portico_users.kernel.problems import at
from portico_users.notifications.email.message import EmailMessage, EmailTemplate

PAGE_MISSING = ErrorCode(
    "USER-542",
    Kind.INVALID_REQUEST,
    "The URL template has no place for the code.",
    "Use the placeholders CodeID and Code, or omit urlTemplate to use the page of this service.",
)
EMAIL_OFF = ErrorCode(
    "USER-543", Kind.UNAVAILABLE, "No mail server is configured.", "Ask the operator to set PORTICO_SMTP_HOST."
)

_CODE_ID: Final = "{{.CodeID}}"


class LinkRequest(NamedTuple):
    """Which link is requested.

    Attributes:
        url_template: of its address; empty for a page of this service.
        place: of the template, for errors.
        emailed: it is sent to the user; otherwise it is returned to the caller.
    """

    url_template: str
    place: str = "urlTemplate"
    emailed: bool = True


class PlannedLink(NamedTuple):
    """A link that is valid once its work is committed, and its address."""

    link: Link
    address: str
    work: Work


@dataclass(frozen=True, slots=True)
class CreatePasskeyLink(Command):
    """Sends a link by email, or returns it. Nothing of the user changes."""

    links: PasskeyLinks
    issuer: Issuer

    async def __call__(self, human: Human, org: Org, requested: LinkRequest) -> PlannedLink:
        """The link, stored, with its email in the same transaction. Raises as `plan`."""
        planned = self.plan(human, org, requested)
        await self.links.commit(planned.work)
        return planned

    def plan(self, human: Human, org: Org, requested: LinkRequest) -> PlannedLink:
        """The same as a side write of the transaction that creates the user.

        Raises:
            ServiceError: USER-543 where no email can be sent, USER-542 for a template without placeholders of the code,
                USER-331 for one that is not permitted (HH-06).
        """
        if requested.emailed and self.links.email_queue is None:
            raise EMAIL_OFF.error()
        link, template = self.links.new_link(), self._template(org, requested)
        values = {"UserID": human.id, "Code": link.code, "OrgID": org.id, "LoginName": login_name(human, org)}
        # The id has no character that an address would have to encode.
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

    def _message(self, human: Human, org: Org, address: str) -> EmailMessage:
        language = pick_language((human.preferred_language,)).tag
        values = {
            "issuer": self.issuer,
            "organization": org.name,
            "link": address,
            "login_name": human.user_name,
        }
        return EmailMessage(
            template=EmailTemplate.REGISTER_PASSKEY, to=human.email, language=language, values=values, org_id=org.id
        )
