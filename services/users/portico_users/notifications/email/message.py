from __future__ import annotations

import re
from datetime import UTC, datetime
from email.headerregistry import Address
from email.message import EmailMessage as MimeMessage
from email.policy import SMTP, SMTPUTF8
from email.utils import format_datetime, parseaddr
from enum import StrEnum
from functools import cache
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import msgspec
from portico_contracts.colors import LEGIBLE, OWN_DARK, OWN_LIGHT, contrast, with_primary
from portico_contracts.users import Branding
from portico_web.languages import ENGLISH, Language, find_language
from portico_web.pages import environment

from portico_users.catalogue import PACKAGE
from portico_users.values.names import domain_key

if TYPE_CHECKING:
    from jinja2 import Environment


class EmailBranding(NamedTuple):
    """The branding of an email, with its logos as PNG images that the email itself contains; empty for remote ones.

    Most email programs block remote images, and show those that a message contains.
    """

    branding: Branding = Branding()
    logo: bytes = b""
    logo_dark: bytes = b""


PLAIN: Final = EmailBranding()
_LOGO: Final = "logo@portico"
_LOGO_DARK: Final = "logo-dark@portico"
"""Content ids of the images (RFC 2392)."""

_BLANK_LINES: Final = re.compile(r"\n{3,}")
_BLANK_LINE: Final = "\n\n"


class EmailTemplate(StrEnum):
    VERIFY_EMAIL = "verify_mail"
    ACCOUNT_EXISTS = "account_exists"
    RESET_PASSWORD = "reset_password"
    INVITE = "invite"
    REGISTER_PASSKEY = "register_passkey"
    SIGN_IN_CODE = "sign_in_code"
    EMAIL_CODE_SIGN_IN = "email_code_sign_in"
    ENROLMENT_CODE = "enrolment_code"
    ACCOUNT_CHANGED = "account_changed"
    ACTED_FOR = "acted_for"
    TEXT_LIMIT = "text_limit"
    TEST = "test"


class EmailMessage(msgspec.Struct, frozen=True, kw_only=True):
    """An email to be rendered; ``values`` are never text typed by anonymous callers.

    Attributes:
        org_id: the recipient's organization, whose branding and sender the email has; empty for the instance's.
        user_id: the recipient; empty for a recipient without an account. Unless it is known that the recipient has no
            roles elsewhere, the email is sent by the instance (decision 0109): there is no default.
        sender_id: the sender to use, for a test; otherwise that of the recipient's organization.
    """

    template: EmailTemplate
    to: str
    language: str
    values: dict[str, str]
    org_id: str
    user_id: str
    sender_id: str = ""

    def __repr__(self) -> str:
        return f"EmailMessage({self.template.value})"


class Text(NamedTuple):
    subject: str
    text: str
    html: str


class Theme(NamedTuple):
    """Colours as ``#rrggbb``: of links, and of the button and its text."""

    link: str
    ground: str
    on: str


def render(email: EmailMessage, shown: EmailBranding = PLAIN) -> Text:
    """Text and HTML come from one template; falls back to English if the language is no longer supported."""
    language, branding = find_language(email.language) or ENGLISH, shown.branding
    values = {
        **email.values,
        "brand": branding,
        "logo": f"cid:{_LOGO}" if shown.logo else _remote(email, branding.logo),
        "logo_dark": f"cid:{_LOGO_DARK}" if shown.logo_dark else _remote(email, branding.logo_dark),
        "light": _theme(branding.light.primary, OWN_LIGHT.primary, ground="#ffffff"),
        "dark": _theme(
            with_primary(branding.dark, branding.light).primary, OWN_DARK.primary, ground=OWN_DARK.background
        ),
        "own_text": branding.texts_in(language.tag).email_text,
    }
    subject, text = _part(_plain(language), "txt", email.template, values)
    _, html = _part(environment(PACKAGE, language), "html", email.template, values)
    # The subject is one line, whatever a name contains (header injection, HH-06).
    return Text(" ".join(subject.split()), f"{_BLANK_LINES.sub(_BLANK_LINE, text).strip()}\n", html)


def _remote(email: EmailMessage, path: str) -> str:
    return f"{email.values['issuer']}{path}" if path else ""


def _part(environment: Environment, kind: str, template: EmailTemplate, values: dict[str, object]) -> tuple[str, str]:
    parts = environment.get_template(f"_parts.{kind}")
    content: Any = environment.get_template(f"{template}.email").make_module({**values, "parts": parts})
    subject = content.subject()
    layout = environment.get_template(f"_layout.{kind}")
    return str(subject), layout.render(values | {"subject": subject, "content": content})


def _theme(primary: str, own: str, *, ground: str) -> Theme:
    """Uses the organization's colour for links only where it is readable on the background of an email."""
    color = primary or own
    link = color if contrast(color, ground) >= LEGIBLE else own
    return Theme(link, color, max("#ffffff", "#000000", key=lambda text: contrast(text, color)))


def sender_of(text: str) -> Address:
    name, address = parseaddr(text)
    return _mailbox(address, name)


def recipient_of(address: str) -> Address:
    return _mailbox(address)


def _mailbox(address: str, name: str = "") -> Address:
    """Converts the domain to A-labels; only a non-ASCII local part needs SMTPUTF8 (RFC 6531)."""
    local, _, domain = address.rpartition("@")
    return Address(name, local, domain if domain.isascii() else domain_key(domain))


def mime_of(
    email: EmailMessage, *, id: str, sender: Address, now: float, branding: EmailBranding = PLAIN
) -> MimeMessage:
    """Returns the message; ``id`` is the same for all attempts, so that servers can detect duplicates."""
    words, to = render(email, branding), recipient_of(email.to)
    is_ascii = to.addr_spec.isascii() and sender.addr_spec.isascii()
    message = MimeMessage(policy=SMTP if is_ascii else SMTPUTF8)
    message["From"] = sender
    message["To"] = to
    message["Subject"] = words.subject
    message["Date"] = format_datetime(datetime.fromtimestamp(now, UTC))
    message["Message-ID"] = f"<{id}@{sender.domain}>"
    message["Auto-Submitted"] = "auto-generated"  # RFC 3834: no automatic reply to it
    message.set_content(words.text, cte="quoted-printable")
    message.add_alternative(words.html, subtype="html", cte="quoted-printable")
    _embed(message, branding)
    # Set last: a content header set before the content would move to its first part.
    message["Content-Language"] = (find_language(email.language) or ENGLISH).tag
    return message


def _embed(message: MimeMessage, branding: EmailBranding) -> None:
    html = message.get_body(("html",))
    for name, content, id in (("logo.png", branding.logo, _LOGO), ("logo-dark.png", branding.logo_dark, _LOGO_DARK)):
        if content and html:
            html.add_related(
                content, maintype="image", subtype="png", cid=f"<{id}>", filename=name, disposition="inline"
            )


@cache
def _plain(language: Language) -> Environment:
    # Plain text must not be HTML-escaped.
    return environment(PACKAGE, language).overlay(autoescape=False)
