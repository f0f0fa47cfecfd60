"""The text of emails in every language, and what cannot get into them."""

from __future__ import annotations

from email import message_from_bytes
from email.policy import default

import pytest
from portico_contracts.users import Branding, Palette
from portico_users.notifications.email.message import EmailMessage, EmailTemplate, mime_of, render, sender_of
from portico_web.languages import LANGUAGES

SENDER = sender_of("Portico <portico@id.example>")
VALUES = {
    "organization": "Acme",
    "application": "Acme Shop",
    "issuer": "https://id.example",
    "code": "K7PQ2M",
    "login_name": "eve-abcd",
    "changes": "mail password",
    "new_mail": "e***@m***",
    "when": "2026-09-21 14:13 UTC",
}
TAGS = [language.tag for language in LANGUAGES]


def email(template: EmailTemplate = EmailTemplate.VERIFY_EMAIL, language: str = "en", **changes: str) -> EmailMessage:
    """A letter to Eve."""
    values = VALUES | {name: text for name, text in changes.items() if name in VALUES}
    return EmailMessage(template=template, to=changes.get("to", "eve@mail.example"), language=language, values=values)


@pytest.mark.parametrize("tag", TAGS)
@pytest.mark.parametrize("template", EmailTemplate)
def test_every_letter_can_be_written_in_every_language(template: EmailTemplate, tag: str) -> None:
    """Text and HTML contain the same code or name, in their own script's direction."""
    words = render(email(template, tag))
    told = "K7PQ2M" if template is EmailTemplate.VERIFY_EMAIL else "eve-abcd"

    assert "Acme" in words.subject
    assert told in words.text
    assert told in words.html
    assert f'<html lang="{tag}" dir="{"rtl" if tag == "ar" else "ltr"}">' in words.html


@pytest.mark.parametrize("tag", TAGS)
@pytest.mark.parametrize("template", EmailTemplate)
def test_every_email_names_the_organization(template: EmailTemplate, tag: str) -> None:
    """Subject, text and HTML name the organization that the reader knows, beside the address of the issuer."""
    words = render(email(template, tag, application="Acme", organization="Birds & Co"))
    named = words.subject + words.text if template is EmailTemplate.INVITE else words.subject

    assert "Birds & Co" in named
    assert "Birds & Co (https://id.example)" in words.text or template is EmailTemplate.REGISTER_PASSKEY
    assert "<bdi>Birds &amp; Co</bdi>" in words.html


@pytest.mark.parametrize("tag", TAGS)
@pytest.mark.parametrize("template", [EmailTemplate.SIGN_IN_CODE, EmailTemplate.VERIFY_EMAIL])
def test_code_is_read_in_the_subject(template: EmailTemplate, tag: str) -> None:
    """The subject of a sign-in or verification email begins with the code, so that it can be read unopened."""
    assert render(email(template, tag)).subject.startswith("K7PQ2M ")


@pytest.mark.parametrize("template", [EmailTemplate.RESET_PASSWORD, EmailTemplate.INVITE])
def test_code_that_sets_a_password_is_in_no_subject(template: EmailTemplate) -> None:
    """A subject shows on locked screens: a code that takes an account over is only inside the email."""
    assert "K7PQ2M" not in render(email(template)).subject


def test_languages_differ() -> None:
    """A catalogue that is not found would leave everything English."""
    assert len({render(email(language=tag)).subject for tag in TAGS}) == len(TAGS)


def test_unknown_language_is_english() -> None:
    """An email in a language that a later release removed is still sent."""
    assert render(email(language="tlh")) == render(email())


def test_link_of_an_email_is_the_issuer() -> None:
    """The only address in an email is the configured one (HH-01)."""
    words = render(email())

    assert words.text.count("://") == words.html.count("://") == 1
    assert "https://id.example" in words.text


def test_names_are_escaped_in_html_and_plain_in_text() -> None:
    """Markup in an organization's name is text in both parts (MG-20, HH-06)."""
    words = render(email(organization="A <b>&amp; Co"))

    assert "<b>" not in words.html
    assert "A &lt;b&gt;&amp;amp; Co" in words.html
    assert words.subject.endswith("A <b>&amp; Co")


@pytest.mark.parametrize("break_", ["\r\n", "\n", "\r", "\r\n\r\n", "\n\n", "\x0b", "\u2028"])
def test_line_breaks_in_a_name_add_no_header(break_: str) -> None:
    """A subject stays one line whatever an organization is called: no header and no body can be injected (HH-06)."""
    message = mime_of(email(organization=f"A{break_}Bcc: all@mail.example"), id="1", sender=SENDER, now=0)
    read = message_from_bytes(bytes(message), policy=default)

    assert read["Bcc"] is None
    assert read["To"] == "eve@mail.example"
    assert len(read.keys()) == len(set(read.keys()))


@pytest.mark.parametrize(
    "to", ["eve@mail.example\r\nBcc: all@mail.example", "eve\r\n@mail.example", "eve@mail.example\n"]
)
def test_line_breaks_in_an_address_make_no_message(to: str) -> None:
    """What got past the rules of addresses still adds no header."""
    with pytest.raises(ValueError, match="CR or LF"):
        mime_of(email(to=to), id="1", sender=SENDER, now=0)


@pytest.mark.parametrize("to", ["eve@mail.example, all@mail.example", 'e"ve@mail.example', "eve:@mail.example"])
def test_odd_address_stays_one_address(to: str) -> None:
    """An address is never read as a list of them."""
    read = message_from_bytes(bytes(mime_of(email(to=to), id="1", sender=SENDER, now=0)), policy=default)

    assert len(read["To"].addresses) == 1


@pytest.mark.parametrize(
    ("to", "written"),
    [
        ("eve@mäil.example", "eve@xn--mil-qla.example"),
        ("eve@BÜCHER.example", "eve@xn--bcher-kva.example"),
        ("eve@faß.example", "eve@xn--fa-hia.example"),
        ("ève@mäil.example", "ève@xn--mil-qla.example"),
        ("Eve@Mail.example", "Eve@Mail.example"),
    ],
)
def test_domain_is_written_in_a_labels(to: str, written: str) -> None:
    """Every server takes them; the local part stays as it is, for SMTPUTF8 where it is beyond ASCII (RFC 6531)."""
    raw = bytes(mime_of(email(to=to), id="1", sender=sender_of("Über uns <a@bücher.example>"), now=0))

    assert f"To: {written}\r\n".encode() in raw
    assert b" <a@xn--bcher-kva.example>\r\n" in raw
    assert b"Message-ID: <1@xn--bcher-kva.example>\r\n" in raw


def test_headers_of_a_email() -> None:
    """Who it is from, which one it is, and that no holiday note answers it (RFC 3834)."""
    message = mime_of(email(language="de"), id="abc", sender=SENDER, now=1_790_000_000)

    assert message["From"] == "Portico <portico@id.example>"
    assert message["Message-ID"] == "<abc@id.example>"
    assert message["Date"] == "Mon, 21 Sep 2026 14:13:20 +0000"
    assert message["Auto-Submitted"] == "auto-generated"
    assert message["Content-Language"] == "de"
    assert [part.get_content_type() for part in message.walk()] == ["multipart/alternative", "text/plain", "text/html"]


def test_login_name_is_shown_only_when_it_is_not_the_address() -> None:
    """An email to a user who signs in with the address does not repeat it."""
    assert "login name" not in render(email(login_name="")).text


def test_letter_shows_nothing_of_itself() -> None:
    """A letter in a traceback names its template (IN-09)."""
    assert repr(email()) == "EmailMessage(verify_mail)"


BRANDING = Branding(
    logo="/ui/branding/logos/a.png",
    logo_text="Acme & sons",
    tos_link="https://acme.example/terms",
    privacy_link="https://acme.example/privacy",
    help_link="https://acme.example/help",
    support_email="help@acme.example",
    light=Palette(primary="#7b1fa2"),
)


@pytest.mark.parametrize("template", EmailTemplate)
def test_every_email_has_the_branding_of_its_organization(template: EmailTemplate) -> None:
    """The logo by its address with its text, the colour of links, and links and support in text and HTML."""
    words = render(email(template), BRANDING)

    assert '<img src="https://id.example/ui/branding/logos/a.png" alt="Acme &amp; sons"' in words.html
    assert "<style>a{color:#7b1fa2}</style>" in words.html
    for link in ("https://acme.example/terms", "https://acme.example/privacy", "https://acme.example/help"):
        assert f'href="{link}"' in words.html
        assert link in words.text
    assert "Support: help@acme.example" in words.text
    assert "<bdi>help@acme.example</bdi>" in words.html


@pytest.mark.parametrize(
    ("tag", "told"), [("de", "Datenschutzerklärung"), ("ar", "سياسة الخصوصية"), ("ja", "プライバシーポリシー")]
)
def test_links_of_an_email_are_in_its_language(tag: str, told: str) -> None:
    """In text and HTML the links of the organization have the words of the email's language."""
    words = render(email(language=tag), BRANDING)

    assert told in words.text
    assert told in words.html


def test_email_without_branding_has_nothing_of_it() -> None:
    """No image, no colour and no footer where the organization has none."""
    words = render(email())

    assert "<img" not in words.html
    assert "<style>" not in words.html
    assert "\n--\n" not in words.text


@pytest.mark.parametrize("primary", ["#ffd54f", "#777777"])
def test_colour_that_cannot_be_read_on_white_is_left_out(primary: str) -> None:
    """A page may have a dark background, an email has a white one."""
    assert "<style>" not in render(email(), Branding(light=Palette(primary=primary))).html
