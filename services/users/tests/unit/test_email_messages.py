from __future__ import annotations

from email import message_from_bytes
from email.policy import default
from html.parser import HTMLParser
from itertools import product

import pytest
from portico_contracts.users import Branding, Palette
from portico_users.notifications.email.message import (
    EmailBranding,
    EmailMessage,
    EmailTemplate,
    mime_of,
    render,
    sender_of,
)
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
    "when": "21 September 2026, 14:13 UTC",
    "per_day": "500",
    "per_month": "5000",
}
TAGS = [language.tag for language in LANGUAGES]


def email(template: EmailTemplate = EmailTemplate.VERIFY_EMAIL, language: str = "en", **changes: str) -> EmailMessage:
    values = VALUES | {name: text for name, text in changes.items() if name in VALUES}
    to = changes.get("to", "eve@mail.example")
    return EmailMessage(template=template, to=to, language=language, values=values, org_id="", user_id="")


def test_every_email_renders_in_every_language() -> None:
    """Text and HTML contain the same code or name, in the direction of the script."""
    for template, tag in product(EmailTemplate, TAGS):
        words = render(email(template, tag))
        told = "K7PQ2M" if template is EmailTemplate.VERIFY_EMAIL else "eve-abcd"

        assert "Acme" in words.subject, (template, tag)
        assert told in words.text, (template, tag)
        assert told in words.html, (template, tag)
        assert f'<html lang="{tag}" dir="{"rtl" if tag == "ar" else "ltr"}">' in words.html, (template, tag)


def test_every_email_names_the_organization() -> None:
    """Subject, text and HTML name the organization; emails without a link to the issuer its URL too."""
    for template, tag in product(EmailTemplate, TAGS):
        words = render(email(template, tag, application="Acme", organization="Birds & Co"))
        named = words.subject + words.text if template is EmailTemplate.INVITE else words.subject
        has_url = "Birds & Co (https://id.example)" in words.text
        has_link = template in (EmailTemplate.REGISTER_PASSKEY, EmailTemplate.INVITE)

        assert "Birds & Co" in named, (template, tag)
        assert has_url or has_link, (template, tag)
        assert "<bdi>Birds &amp; Co</bdi>" in words.html, (template, tag)


def test_subject_starts_with_the_code() -> None:
    """The subject of a sign-in or verification email starts with the code, so that it can be read unopened."""
    for template, tag in product((EmailTemplate.SIGN_IN_CODE, EmailTemplate.VERIFY_EMAIL), TAGS):
        subject = render(email(template, tag)).subject
        assert subject.startswith("K7PQ2M "), (template, tag)


@pytest.mark.parametrize(
    "template", [EmailTemplate.RESET_PASSWORD, EmailTemplate.INVITE, EmailTemplate.EMAIL_CODE_SIGN_IN]
)
def test_password_code_is_not_in_the_subject(template: EmailTemplate) -> None:
    """Subjects are shown on locked screens: a code that allows an account takeover is only in the body."""
    assert "K7PQ2M" not in render(email(template)).subject


def test_languages_differ() -> None:
    """A catalogue that is not found would leave everything in English."""
    assert len({render(email(language=tag)).subject for tag in TAGS}) == len(TAGS)


def test_unknown_language_falls_back_to_english() -> None:
    """An email in a language that a later release removed is still sent."""
    assert render(email(language="tlh")) == render(email())


def test_link_of_an_email_is_the_issuer() -> None:
    """The only URL in an email is the configured one (HH-01)."""
    words = render(email())

    assert words.text.count("://") == words.html.count("://") == 1
    assert "https://id.example" in words.text


def test_names_are_escaped_in_html() -> None:
    """Markup in an organization's name is displayed as text in both parts (MG-20, HH-06)."""
    words = render(email(organization="A <b>&amp; Co"))

    assert "<b>" not in words.html
    assert "A &lt;b&gt;&amp;amp; Co" in words.html
    assert words.subject.endswith("A <b>&amp; Co")


def test_line_breaks_in_a_name_add_no_header() -> None:
    """A subject stays one line whatever the organization's name: neither header nor body can be injected (HH-06)."""
    for break_ in ("\r\n", "\n", "\r", "\r\n\r\n", "\n\n", "\x0b", "\u2028"):
        message = mime_of(email(organization=f"A{break_}Bcc: all@mail.example"), id="1", sender=SENDER, now=0)
        read = message_from_bytes(bytes(message), policy=default)

        assert read["Bcc"] is None, repr(break_)
        assert read["To"] == "eve@mail.example", repr(break_)
        assert len(read.keys()) == len(set(read.keys())), repr(break_)


@pytest.mark.parametrize(
    "to", ["eve@mail.example\r\nBcc: all@mail.example", "eve\r\n@mail.example", "eve@mail.example\n"]
)
def test_line_breaks_in_an_address_are_refused(to: str) -> None:
    """An address that got past validation still adds no header."""
    with pytest.raises(ValueError, match="CR or LF"):
        mime_of(email(to=to), id="1", sender=SENDER, now=0)


@pytest.mark.parametrize("to", ["eve@mail.example, all@mail.example", 'e"ve@mail.example', "eve:@mail.example"])
def test_address_is_never_parsed_as_a_list(to: str) -> None:
    """An address with special characters stays one address."""
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
def test_domain_is_encoded_as_a_labels(to: str, written: str) -> None:
    """All servers accept A-labels; the local part is unchanged, for SMTPUTF8 where it is not ASCII (RFC 6531)."""
    raw = bytes(mime_of(email(to=to), id="1", sender=sender_of("Über uns <a@bücher.example>"), now=0))

    assert f"To: {written}\r\n".encode() in raw
    assert b" <a@xn--bcher-kva.example>\r\n" in raw
    assert b"Message-ID: <1@xn--bcher-kva.example>\r\n" in raw


def test_email_headers() -> None:
    """An email has a sender, a message id, and headers that suppress automatic replies (RFC 3834)."""
    message = mime_of(email(language="de"), id="abc", sender=SENDER, now=1_790_000_000)

    assert message["From"] == "Portico <portico@id.example>"
    assert message["Message-ID"] == "<abc@id.example>"
    assert message["Date"] == "Mon, 21 Sep 2026 14:13:20 +0000"
    assert message["Auto-Submitted"] == "auto-generated"
    assert message["Content-Language"] == "de"
    assert [part.get_content_type() for part in message.walk()] == ["multipart/alternative", "text/plain", "text/html"]


def test_email_contains_its_logos() -> None:
    """Email programs block remote images and show those of the message itself, each in its theme (RFC 2392)."""
    shown = EmailBranding(
        Branding(logo="/l.png", logo_dark="/d.png", logo_text="Acme"), logo=b"light", logo_dark=b"dark"
    )
    message = mime_of(email(), id="1", sender=SENDER, now=0, branding=shown)
    html = message.get_body(("html",))
    images = {part["Content-ID"]: part for part in message.walk() if part.get_content_maintype() == "image"}

    assert html is not None
    assert "/l.png" not in html.get_content()
    assert {id: part.get_content() for id, part in images.items()} == {
        "<logo@portico>": b"light", "<logo-dark@portico>": b"dark",
    }  # fmt: skip
    assert [part.get_content_disposition() for part in images.values()] == ["inline", "inline"]
    assert all(f'src="cid:{id.strip("<>")}" alt="Acme"' in html.get_content() for id in images)


def test_login_name_is_shown_only_if_not_the_address() -> None:
    """An email to a user who signs in with the address does not repeat it."""
    assert "login name" not in render(email(login_name="")).text


def test_email_repr_shows_only_the_template() -> None:
    """The repr of an email in a traceback names only its template (IN-09)."""
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


def test_email_has_the_branding() -> None:
    """Every email has the logo by its URL with its alternative text, the accent, and links and support address in text
    and HTML.
    """
    for template in EmailTemplate:
        words = render(email(template), EmailBranding(BRANDING))

        assert 'src="https://id.example/ui/branding/logos/a.png" alt="Acme &amp; sons"' in words.html, template
        assert "a{color:#7b1fa2}" in words.html, template
        for link in ("https://acme.example/terms", "https://acme.example/privacy", "https://acme.example/help"):
            assert f'href="{link}"' in words.html, template
            assert link in words.text, template
        assert "Support: help@acme.example" in words.text, template
        assert "<bdi>help@acme.example</bdi>" in words.html, template


@pytest.mark.parametrize(
    ("tag", "told"), [("de", "Datenschutzerklärung"), ("ar", "سياسة الخصوصية"), ("ja", "プライバシーポリシー")]
)
def test_links_are_in_the_language_of_the_email(tag: str, told: str) -> None:
    """The organization's links in text and HTML have labels in the email's language."""
    words = render(email(language=tag), EmailBranding(BRANDING))

    assert told in words.text
    assert told in words.html


def test_email_without_branding() -> None:
    """Without branding there is no image and no footer."""
    words = render(email())

    assert "<img" not in words.html
    assert "\n--\n" not in words.text


@pytest.mark.parametrize("primary", ["#ffd54f", "#777777"])
def test_links_are_legible(primary: str) -> None:
    """A colour that cannot be read on the white of an email is used for the button only, with legible text on it."""
    html = render(link_in(EmailTemplate.INVITE), EmailBranding(Branding(light=Palette(primary=primary)))).html

    assert f"a{{color:{primary}}}" not in html
    assert f"background:{primary};color:#000000" in html


WITH_LINK = (
    EmailTemplate.VERIFY_EMAIL,
    EmailTemplate.RESET_PASSWORD,
    EmailTemplate.INVITE,
    EmailTemplate.REGISTER_PASSKEY,
    EmailTemplate.ACCOUNT_CHANGED,
)
LINK = "https://id.example/ui/login/password/init?userID=1&code=K7PQ2M"


def link_in(template: EmailTemplate, tag: str = "en") -> EmailMessage:
    values = email(template).values | {"link": LINK}
    return EmailMessage(template=template, to="eve@mail.example", language=tag, values=values, org_id="", user_id="")


class Shown(HTMLParser):
    """The words and link targets of an email, as a reader without styles and images has them."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.words: list[str] = []
        self.links: list[str] = []
        self._inside: list[str] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._inside.append(tag)
        self.links += [value for name, value in attrs if name == "href" and value]
        self.words += [value for name, value in attrs if name == "alt" and value]

    def handle_endtag(self, tag: str) -> None:
        while self._inside and self._inside.pop() != tag:
            pass

    def handle_data(self, data: str) -> None:
        if not {"style", "title"} & set(self._inside):
            self.words += data.split()


def test_text_and_html_say_the_same() -> None:
    """The parts have the same words and links, so the plain text lacks nothing; only the HTML is headed by the
    organization's name.
    """
    for template in EmailTemplate:
        words = render(link_in(template))
        shown = Shown(words.html)
        links = [one for one in words.text.split() if one.startswith("https://")]
        text = [word.rstrip(":") for word in words.text.split() if word not in (*links, "-")]

        assert [word.rstrip(":") for word in shown.words if word != "-"] == ["Acme", *text], template
        assert shown.links == links, template


@pytest.mark.parametrize("template", WITH_LINK)
def test_one_button_comes_before_the_code(template: EmailTemplate) -> None:
    words = render(link_in(template))

    assert words.html.count('class="press"') == words.text.count(LINK) == 1
    if "\n    K7PQ2M\n" in words.text:
        assert words.html.index('class="press"') < words.html.index(">K7PQ2M<")
        assert words.text.index(LINK) < words.text.index("\n    K7PQ2M\n")
