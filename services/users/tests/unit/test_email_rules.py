from __future__ import annotations

import secrets
from collections import Counter
from itertools import product

import pytest
from portico_runtime.settings.sections.mail import MailSection
from portico_users.credentials.attempts.backoff import EMAIL_BACKOFF, delay_after
from portico_users.end_users.codes.challenge import code_hash
from portico_users.end_users.commands.register import other_name
from portico_users.notifications.email.message import sender_of
from portico_users.notifications.email.queue import retry_after
from portico_users.policies.login_rules import LoginRules, in_force
from portico_users.settings import Settings
from portico_users.values.code_forms import new_letters
from portico_users.values.names import MAX_LENGTH, is_user_name
from pydantic import SecretStr, ValidationError


def test_code_has_thirty_random_bits() -> None:
    """A code has 6 letters and digits, uniformly distributed, without ambiguous characters."""
    codes = [new_letters(secrets.token_bytes) for _ in range(4_000)]
    seen = Counter("".join(codes))

    assert {len(code) for code in codes} == {6}
    assert len(seen) == 32
    assert not set("01IO") & set(seen)
    assert min(seen.values()) > 600  # of 750 on average
    assert len(set(codes)) > 3_990


@pytest.mark.parametrize("typed", ["K7PQ2M", "k7pq2m", " K7P Q2M\n", "k7p\u00a0q2m"])
def test_code_ignores_case_and_blanks(typed: str) -> None:
    """A code is accepted as copied from an email."""
    assert code_hash("c", typed) == code_hash("c", "K7PQ2M")


@pytest.mark.parametrize("typed", ["", "K7PQ2", "K7PQ2N", "K7PQ2M2", "K7PQ2M" * 100_000])
def test_other_code_has_another_hash(typed: str) -> None:
    """Codes are not truncated to the right length."""
    assert code_hash("c", typed) != code_hash("c", "K7PQ2M")


def test_hash_of_a_code_is_bound_to_its_challenge() -> None:
    """A table of all codes does not work for all challenges."""
    assert code_hash("c", "K7PQ2M") != code_hash("d", "K7PQ2M")


def test_emails_to_one_address_are_rate_limited() -> None:
    """Four emails are immediate, then one after a minute, doubling to four hours."""
    waits = [delay_after(number, EMAIL_BACKOFF) for number in range(1, 20)]

    assert waits[:7] == [0, 0, 0, 0, 60, 120, 240]
    assert waits[-1] == 14_400


def test_failed_email_is_retried_with_back_off() -> None:
    """Retries are soon and then every minute: emails are sent within a minute after an outage of any length."""
    assert [retry_after(attempts) for attempts in (1, 2, 3, 5, 6, 7, 1_000)] == [2, 4, 8, 32, 60, 60, 60]


@pytest.mark.parametrize(("org", "instance"), product([None, False, True], repeat=2))
def test_organization_overrides_the_instance(org: bool | None, instance: bool | None) -> None:
    """The instance decides fields that the organization omits; by default users may register and need not verify."""
    rules = [
        LoginRules(may_register=one, verified_mail=one, force_mfa=one, hide_password_reset=one, allow_external_idp=one)
        for one in (org, instance)
    ]

    found = in_force(*rules)
    assert found.may_register is (org if org is not None else instance if instance is not None else True)
    assert found.verified_mail is (org if org is not None else instance if instance is not None else False)
    assert found.force_mfa is found.verified_mail
    assert found.allow_external_idp is found.may_register
    assert found.hide_password_reset is found.verified_mail


@pytest.mark.parametrize("mail", ["eve@mail.example", f"{'e' * 190}@mail.exam", "ève@mail.example"])
def test_generated_user_name_is_valid(mail: str) -> None:
    """The generated user name for an address that is another user's name is recognisable and unique."""
    name = other_name(mail, secrets.token_bytes)

    assert is_user_name(name)
    assert len(name) <= MAX_LENGTH
    assert name[:3] == mail[:3]
    assert name != other_name(mail, secrets.token_bytes)


INVALID_SENDERS = (
    "",
    "Portico",
    "a@b\r\nBcc: c@d",
    "A\nB <a@b>",
    "<a@b>",
    "a@b, c@d",
    "A <a@b> <c@d>",
    "A <a b@c>",
    "A <a,b@c>",
    'A <"a"@b>',
    "A <a..b@c>",
    "a@b, c",
    "A <a@b,c>",
)


def test_mail_server_needs_one_sender() -> None:
    """An invalid sender, or one that would add a header, ends the start with a message."""
    assert [sender for sender in INVALID_SENDERS if "sender" not in start_error_of(sender)] == []


def start_error_of(sender: str) -> str:
    try:
        MailSection(smtp_host="mail.example", smtp_from=sender)
    except ValidationError as error:
        return str(error)
    return ""


@pytest.mark.parametrize("sender", ["portico@id.example", "Portico <portico@id.example>", "Über uns <a@b>"])
def test_sender_may_have_a_name(sender: str) -> None:
    """The sender is an address, or a name with an address."""
    assert MailSection(smtp_host="mail.example", smtp_from=sender).smtp_from == sender


@pytest.mark.parametrize(
    ("sender", "name"),
    [
        ("Acme, Inc. <a@b>", "Acme, Inc."),
        ('"Acme, Inc." <a@b>', "Acme, Inc."),
        ('The "Acme" people <a@b>', 'The "Acme" people'),
        (r'"The \"Acme\" people" <a@b>', 'The "Acme" people'),
        ('"Acme <a@b>', '"Acme'),
        (r"A\B <a@b>", r"A\B"),
        ("Acme; (EU): [1] <a@b>", "Acme; (EU): [1]"),
        ("Über, uns <a@b>", "Über, uns"),
    ],
)
def test_any_sender_name_is_encoded(sender: str, name: str) -> None:
    """Commas and quotes work, whether or not the operator quoted the name as in RFC 5322: one mailbox with that
    name.
    """
    read = sender_of(MailSection(smtp_host="mail.example", smtp_from=sender).smtp_from)

    assert (read.display_name, read.addr_spec) == (name, "a@b")


def test_password_requires_tls() -> None:
    """Without TLS no user name may be sent."""
    with pytest.raises(ValidationError, match="TLS"):
        MailSection(smtp_host="mail.example", smtp_from="a@b", smtp_security="none", smtp_user="portico")


def test_emails_need_a_master_key() -> None:
    """Queued emails contain codes, so they are sealed; without a mail server no key is needed."""
    with pytest.raises(ValidationError, match="master key"):
        Settings(smtp_host="mail.example", smtp_from="a@b")

    assert Settings(master_keys=SecretStr("")).smtp_host == ""
