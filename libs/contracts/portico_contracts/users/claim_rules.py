"""Claim rules of projects and applications (decision 0141), as token applies them."""

from __future__ import annotations

from enum import StrEnum
from math import isfinite
from typing import Any, Final

import msgspec
from portico_oauth.claim_names import PREFERRED_USERNAME, is_private
from portico_oauth.json_depth import may_be_deeper

from portico_contracts.subjects import Message

MOST_CLAIM_RULES: Final = 50
"""Rules of a project, and of an application."""


class ClaimSource(StrEnum):
    """Where the value of a claim is from."""

    FIXED = "fixed"
    METADATA = "metadata"
    ATTRIBUTE = "attribute"
    GROUPS = "groups"
    ROLES = "roles"
    ORGANIZATION = "organization"


class ClaimFormat(StrEnum):
    """How a text is written into a claim."""

    TEXT = "text"
    JSON = "json"
    LIST = "list"


class ClaimPlace(StrEnum):
    """Where a claim is shown."""

    ID_TOKEN = "id_token"
    ACCESS_TOKEN = "access_token"
    USERINFO = "userinfo"
    INTROSPECTION = "introspection"


class ClaimRule(Message, frozen=True):
    """A claim about the user.

    Attributes:
        key: what the source has several of: the key of metadata, an attribute, the project of roles (empty: that of
            the application), the part of the organization; of groups the beginning of their names.
        value: of the fixed source.
        format: of fixed values and metadata.
        groups: only these groups; empty for all.
        scope: the rule applies only where this scope was granted; empty for always.
        places: where the claim is shown.
        of_project: it is a rule of the project.
    """

    claim: str
    source: ClaimSource
    key: str = ""
    value: str = ""
    format: ClaimFormat = ClaimFormat.TEXT
    groups: tuple[str, ...] = ()
    scope: str = ""
    places: tuple[ClaimPlace, ...] = ()
    of_project: bool = False


class NotGiven(StrEnum):
    """Why a rule gives no claim."""

    RESERVED = "reserved"
    """The name has another meaning, or the settings of the application use it."""
    ANOTHER_PLACE = "another_place"
    SCOPE = "scope"
    """Its scope was not granted."""
    ANOTHER_PROJECT = "another_project"
    """The token is not for the project of the rule, or the roles are of another organization's project."""
    ANOTHER_ORGANIZATION = "another_organization"
    """The source may not be read of users of this organization."""
    NO_VALUE = "no_value"
    NOT_VERIFIED = "not_verified"


ATTRIBUTES: Final = (
    "user_name", "login_name", "email", "phone_number", "name", "given_name", "family_name", "middle_name", "nickname",
    "profile", "picture", "website", "gender", "birthdate", "zoneinfo", "locale", "address",
)  # fmt: skip
"""Keys of the source `attribute`. An address and a phone number only where they are verified."""

PARTS_OF_ORGANIZATION: Final = ("id", "name", "domain")
"""Keys of the source `organization`, of which the user is a member."""

_NAMES_OF_USER: Final = ATTRIBUTES[:3]


def may_have_rule(claim: str, source: ClaimSource, key: str) -> bool:
    """Reports whether the claim is private, or the user's name under which applications show it."""
    names_user = source is ClaimSource.ATTRIBUTE and key in _NAMES_OF_USER
    return is_private(claim) or (claim == PREFERRED_USERNAME and names_user)


_LARGEST_INTEGER: Final = 2**53 - 1
"""Larger ones lose digits in readers that have only doubles (RFC 7493 section 2.2)."""


def written_as(format: ClaimFormat, text: str) -> Any:
    """The value of a claim: the text, what it is in JSON, or always a list; None where it is not possible.

    A list is a JSON array, or texts separated by commas.
    """
    if format is ClaimFormat.TEXT:
        return text
    if format is ClaimFormat.LIST and not text.lstrip().startswith("["):
        return [one for part in text.split(",") if (one := part.strip())]
    if may_be_deeper(text.encode(errors="replace")):
        return None
    try:
        value = msgspec.json.decode(text)
    except (msgspec.DecodeError, UnicodeEncodeError):
        return None
    return value if keeps_its_digits(value) else None


def keeps_its_digits(value: Any) -> bool:
    """Reports whether readers that have only doubles read all its numbers as they are."""
    if isinstance(value, dict):
        return all(map(keeps_its_digits, value.values()))
    if isinstance(value, list):
        return all(map(keeps_its_digits, value))
    if isinstance(value, float):
        return isfinite(value)
    return not isinstance(value, int) or abs(value) <= _LARGEST_INTEGER
