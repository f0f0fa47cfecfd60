"""Validates end users (MG-14, MG-15)."""

from __future__ import annotations

from typing import Final

from portico_oauth.errors import ErrorCode, Kind
from portico_oauth.redirect_uris import may_register

from portico_users.end_users import idp_links
from portico_users.end_users.end_user import EndUser, metadata_size
from portico_users.grants import role_grants
from portico_users.values.names import (
    INVALID_MAIL,
    INVALID_NAME,
    INVALID_PHONE,
    INVALID_USER_NAME,
    MAX_LENGTH,
    is_email,
    is_key,
    is_name,
    is_phone,
    is_user_name,
)
from portico_users.values.problems import Problem, Problems

METADATA_VALUE: Final = 500_000
_DISPLAY_NAME: Final = "profile.displayName"
"""Earlier releases stored longer ones, derived from first and last name."""

METADATA_TOTAL: Final = 4 * 1024 * 1024

INVALID_WEB_ADDRESS = ErrorCode(
    "USER-008", Kind.INVALID_REQUEST, "Invalid web address.", "Use an address that starts with https:// or http://."
)
INVALID_METADATA = ErrorCode(
    "USER-007",
    Kind.INVALID_REQUEST,
    "The metadata is too large, or a key or value is empty or too long.",
    "Use keys of 1 to 200 characters other than . and .., values of 1 to 500000 characters in"
    " base64, and at most 4 MiB in all.",
)

PHONE_IN_USE = ErrorCode(
    "USER-174",
    Kind.FAILED_PRECONDITION,
    "Codes by text message are sent to this phone number at sign-in.",
    "Turn them off as a second factor first, then change the number.",
)


def problems_of(human: EndUser, before: EndUser | None = None) -> Problems:
    """Yields all errors, with field names of the document; stored metadata keys stay valid."""
    # If user name and address are the same, report only the address.
    if human.user_name != human.email and not is_user_name(human.user_name):
        yield Problem("username", INVALID_USER_NAME)
    for path, text in _names(human).items():
        if not is_name(text) or (len(text) > MAX_LENGTH and path != _DISPLAY_NAME):
            yield Problem(path, INVALID_NAME)
    if not is_email(human.email) or (human.pending_email and not is_email(human.pending_email)):
        yield Problem("email.email", INVALID_MAIL)
    if human.phone and not is_phone(human.phone):
        yield Problem("phone.phone", INVALID_PHONE)
    is_in_use = before is not None and before.has_otp_sms and human.has_otp_sms
    if before and is_in_use and (human.phone != before.phone or not human.phone_verified):
        yield Problem("phone.phone", PHONE_IN_USE)
    for path, text in _web_addresses(human).items():
        if text and not _is_web_address(text):
            yield Problem(path, INVALID_WEB_ADDRESS)
    yield from role_grants.problems_of(human.grants)
    yield from idp_links.problems_of(human.idp_links)
    yield from _metadata(human, frozenset(entry.key for entry in before.metadata) if before else frozenset())


def _names(human: EndUser) -> dict[str, str]:
    """Returns the display texts by path; optional ones only if set."""
    optional = {
        "profile.lastName": human.last_name,
        "profile.nickName": human.nick_name,
        "profile.preferredLanguage": human.preferred_language,
        "attributes.middleName": human.middle_name,
        "attributes.birthdate": human.birthdate,
        "attributes.zoneinfo": human.zoneinfo,
    }
    return {
        "profile.firstName": human.first_name,
        _DISPLAY_NAME: human.display_name,
        **{path: text for path, text in optional.items() if text},
    }


def _web_addresses(human: EndUser) -> dict[str, str]:
    return {
        "attributes.profileUrl": human.profile_url,
        "attributes.website": human.website,
        "attributes.picture": human.picture,
    }


def _is_web_address(text: str) -> bool:
    # Applications use these as links and images, so no script URL may become a claim (MG-20).
    return text.startswith(("https://", "http://")) and may_register(text, dev_mode=True)


def _metadata(human: EndUser, stored: frozenset[str]) -> Problems:
    keys_fit = all(one.key in stored or (is_key(one.key) and len(one.key) <= MAX_LENGTH) for one in human.metadata)
    fits = keys_fit and all(0 < len(one.value) <= METADATA_VALUE for one in human.metadata)
    if not fits or metadata_size(human) > METADATA_TOTAL:
        yield Problem("metadata", INVALID_METADATA)
