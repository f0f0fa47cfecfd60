"""An email: its template, recipient and language; and the MIME message that is made of it."""

from __future__ import annotations

from datetime import UTC, datetime
from email.headerregistry import Address
from email.message import EmailMessage as MimeMessage
from email.policy import SMTP, SMTPUTF8
from email.utils import format_datetime, parseaddr
from enum import StrEnum
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

import msgspec
from portico_web.languages import ENGLISH, Language, find_language
from portico_web.pages import environment

from portico_users.kernel.catalogue import PACKAGE

if TYPE_CHECKING:
    from jinja2 import Environment


class EmailTemplate(StrEnum):
    """The templates: each is a text and an HTML file, whose text begins with its subject."""

    VERIFY_EMAIL = "verify_mail"
    ACCOUNT_EXISTS = "account_exists"
    RESET_PASSWORD = "reset_password"
    INVITE = "invite"
    REGISTER_PASSKEY = "register_passkey"
    SIGN_IN_CODE = "sign_in_code"
    ENROLMENT_CODE = "enrolment_code"
    ACCOUNT_CHANGED = "account_changed"


class EmailMessage(msgspec.Struct, frozen=True, kw_only=True):
    """An email that is to be rendered.

    Attributes:
        to: one email address.
        language: tag of one of the languages.
        values: what the template names; never text of an anonymous caller.
    """

    template: EmailTemplate
    to: str
    language: str
    values: dict[str, str]

    def __repr__(self) -> str:
        """Names the template only: emails contain codes and addresses."""
        return f"EmailMessage({self.template.value})"


class Text(NamedTuple):
    """A rendered email."""

    subject: str
    text: str
    html: str


def render(email: EmailMessage) -> Text:
    """The email in its language; in English where that is not offered any more."""
    language = find_language(email.language) or ENGLISH
    subject, _, text = _plain(language).get_template(f"{email.template}.txt").render(email.values).partition("\n\n")
    html = environment(PACKAGE, language).get_template(f"{email.template}.html").render(email.values)
    # A subject is one line, whatever a name contains (header injection, HH-06).
    return Text(" ".join(subject.split()), text.strip() + "\n", html)


def mime_of(email: EmailMessage, *, id: str, sender: str, now: float) -> MimeMessage:
    """The message to be sent.

    Args:
        id: the same for every attempt to send this email, so that the recipient's server can detect a second one.
        sender: ``Name <address>``.

    Raises:
        ValueError: for an address that no message can have.
    """
    words = render(email)
    message = MimeMessage(policy=SMTP if email.to.isascii() else SMTPUTF8)
    name, address = parseaddr(sender)
    local, _, domain = email.to.rpartition("@")
    message["From"] = Address(name, addr_spec=address)
    message["To"] = Address("", local, domain)
    message["Subject"] = words.subject
    message["Date"] = format_datetime(datetime.fromtimestamp(now, UTC))
    message["Message-ID"] = f"<{id}@{address.rpartition('@')[2]}>"
    message["Auto-Submitted"] = "auto-generated"  # RFC 3834: no automatic reply to it
    message.set_content(words.text, cte="quoted-printable")
    message.add_alternative(words.html, subtype="html", cte="quoted-printable")
    # Last: a content header that is set before there is content moves into its first part.
    message["Content-Language"] = (find_language(email.language) or ENGLISH).tag
    return message


@cache
def _plain(language: Language) -> Environment:
    # Text is no HTML: an escaped name would be read with its escapes.
    return environment(PACKAGE, language).overlay(autoescape=False)
