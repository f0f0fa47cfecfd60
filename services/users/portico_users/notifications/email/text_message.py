"""Text messages: what is enqueued, and the sentence that is sent."""

from __future__ import annotations

from enum import StrEnum
from urllib.parse import urlsplit

import msgspec
from portico_web.languages import ENGLISH, find_language
from portico_web.pages import environment

from portico_users.catalogue import PACKAGE


class TextPurpose(StrEnum):
    VERIFY_PHONE = "verify_phone"
    SIGN_IN = "sign_in"
    TEST = "test"


class TextMessage(msgspec.Struct, frozen=True, kw_only=True):
    """A text message to be rendered; it contains no text typed by anonymous callers.

    Attributes:
        user_id: the recipient. Unless it is known that the recipient has no roles elsewhere, the message is sent by
            the instance (decision 0109): there is no default.
        sender_id: the sender to use, for a test; otherwise that of the recipient's organization.
    """

    purpose: TextPurpose
    to: str
    code: str
    language: str
    organization: str
    issuer: str
    org_id: str
    user_id: str
    sender_id: str = ""

    def __repr__(self) -> str:
        return f"TextMessage({self.purpose.value})"


def text_of(message: TextMessage) -> str:
    """The sentence, and below it the host and the code, so that phones fill in the code only at this host.

    The last line is the format of origin-bound one-time codes (wicg.github.io/sms-one-time-codes).
    """
    language = find_language(message.language) or ENGLISH
    values = {"purpose": message.purpose.value, "code": message.code, "organization": message.organization}
    plain = environment(PACKAGE, language).overlay(autoescape=False)
    # Names may contain line breaks.
    sentence = " ".join(plain.get_template("text_message.txt").render(values).split())
    return f"{sentence}\n\n@{urlsplit(message.issuer).hostname} #{message.code}" if message.code else sentence
