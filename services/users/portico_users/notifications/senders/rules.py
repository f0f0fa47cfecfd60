"""What a sender must be like (IP-03: it makes this service send requests)."""

from __future__ import annotations

import re
from typing import Final

from portico_oauth.errors import ErrorCode, Kind
from portico_runtime.http_client.addresses import may_be_requested
from portico_runtime.settings.mail_sender import read_sender

from portico_users.notifications.senders.sender import Channel, Sender
from portico_users.values.problems import Problem, Problems
from portico_users.webhooks.rules import Allowed

MOST_PREFIXES: Final = 50
MOST_MESSAGES: Final = 1_000_000
_PREFIX: Final = re.compile(r"\+[1-9][0-9]{0,6}\Z")
_HOST: Final = re.compile(r"(?=.{1,253}\Z)[a-z0-9]([a-z0-9.-]*[a-z0-9])?\Z")

INVALID_HOOK = ErrorCode(
    "USER-164",
    Kind.INVALID_REQUEST,
    "This address is not a public https address, and the setting PORTICO_OUTBOUND_ALLOW does not list it.",
    "Use a public https address without user information, or list its host and port in PORTICO_OUTBOUND_ALLOW.",
)
INVALID_PREFIXES = ErrorCode(
    "USER-165",
    Kind.INVALID_REQUEST,
    "Invalid country prefixes.",
    "List one to fifty different prefixes of allowed phone numbers, such as +41.",
)
INVALID_LIMITS = ErrorCode(
    "USER-166",
    Kind.INVALID_REQUEST,
    "Invalid limits of text messages.",
    "Allow at least one message per day, and per month at least as many as per day, at most 1000000.",
)
INVALID_SMTP = ErrorCode(
    "USER-167",
    Kind.INVALID_REQUEST,
    "Invalid mail server.",
    "Set either the URL of a hook, or host, port, security and sender address of a mail server. "
    "A user name needs a password.",
)


def problems_of(sender: Sender, allowed: Allowed) -> Problems:
    if sender.channel is Channel.SMS:
        yield from _problems_of_sms(sender)
    else:
        yield from _problems_of_email(sender)
    has_url = sender.channel is Channel.SMS or sender.url
    if has_url and ("#" in sender.url or not may_be_requested(sender.url, allowed)):
        yield Problem("url", INVALID_HOOK)


def _problems_of_sms(sender: Sender) -> Problems:
    prefixes = sender.allowed_prefixes
    if not 0 < len(prefixes) <= MOST_PREFIXES or len(set(prefixes)) < len(prefixes):
        yield Problem("allowedPrefixes", INVALID_PREFIXES)
    for number, prefix in enumerate(prefixes):
        if not _PREFIX.match(prefix):
            yield Problem(f"allowedPrefixes[{number}]", INVALID_PREFIXES)
    if sender.messages_per_day < 1:
        yield Problem("messagesPerDay", INVALID_LIMITS)
    if not sender.messages_per_day <= sender.messages_per_month <= MOST_MESSAGES:
        yield Problem("messagesPerMonth", INVALID_LIMITS)


def _problems_of_email(sender: Sender) -> Problems:
    if bool(sender.url) is bool(sender.smtp_host):
        yield Problem("smtpHost", INVALID_SMTP)
    if not sender.smtp_host:
        return
    if not _HOST.match(sender.smtp_host):
        yield Problem("smtpHost", INVALID_SMTP)
    if sender.smtp_security not in ("starttls", "tls"):
        yield Problem("smtpSecurity", INVALID_SMTP)
    if not 0 < sender.smtp_port < 65_536:
        yield Problem("smtpPort", INVALID_SMTP)
    if bool(sender.smtp_user) is not bool(sender.smtp_password):
        yield Problem("smtpUser", INVALID_SMTP)
    if not _is_sender(sender.from_address):
        yield Problem("fromAddress", INVALID_SMTP)


def _is_sender(text: str) -> bool:
    try:
        read_sender(text)
    except ValueError:
        return False
    return text.isprintable()
