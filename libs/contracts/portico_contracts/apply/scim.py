from __future__ import annotations

from enum import StrEnum
from typing import Annotated

from msgspec import Meta

from portico_contracts.apply.parts import DeclaredObject, Id, Name, Text


class ScimLoginName(StrEnum):
    """The attribute that is the login name."""

    USER_NAME = "user_name"
    EMAIL = "email"
    EXTERNAL_ID = "external_id"
    NICK_NAME = "nick_name"
    EMPLOYEE_NUMBER = "employee_number"


class ScimAddress(StrEnum):
    """The value that is the email address of the account."""

    PRIMARY = "primary"
    WORK = "work"
    USER_NAME = "user_name"


class ScimDisplayName(StrEnum):
    """What the display name is made of."""

    DISPLAY_NAME = "display_name"
    PARTS = "parts"


class ScimDestination(StrEnum):
    """Where an attribute is stored."""

    METADATA = "metadata"
    NICK_NAME = "nick_name"
    PREFERRED_LANGUAGE = "preferred_language"
    TIME_ZONE = "time_zone"
    PROFILE_URL = "profile_url"
    NOWHERE = "nowhere"


class ScimAttribute(DeclaredObject, frozen=True):
    """Where one attribute is stored; ``key`` is that of the metadata."""

    attribute: Annotated[str, Meta(min_length=1, max_length=300)]
    destination: ScimDestination
    key: Text = ""


class ScimMapping(DeclaredObject, frozen=True):
    """What the attributes of users become here."""

    login_name: ScimLoginName = ScimLoginName.USER_NAME
    address: ScimAddress = ScimAddress.PRIMARY
    display_name: ScimDisplayName = ScimDisplayName.DISPLAY_NAME
    attributes: Annotated[tuple[ScimAttribute, ...], Meta(max_length=50)] = ()


class ScimConnection(DeclaredObject, frozen=True):
    """A directory that sends users and groups by SCIM. Its first secret is generated and shown once."""

    name: Name
    id: Id | None = None
    provisions_users: bool | None = None
    """Whether the directory may send users. Default of a new connection: it may."""
    provisions_groups: bool | None = None
    """Whether the directory may send groups. Default of a new connection: it may."""
    deletes: bool | None = None
    """Whether DELETE deletes the account. Default of a new connection: it deactivates the account."""
    mapping: ScimMapping | None = None
    """What the attributes of users become. Default of a new connection: what the guide lists."""
