"""The parameters in the address of an emailed link."""

from __future__ import annotations

from typing import Final, NamedTuple
from urllib.parse import urlencode

from portico_oauth.errors import ErrorCode, Kind
from portico_oauth.parameters import REPEATED, Parameters

INCOMPLETE = ErrorCode(
    "LOGIN-110",
    Kind.INVALID_REQUEST,
    "This link is incomplete.",
    "Open the link in the email, or copy the whole link.",
)

LOGIN_NAME: Final = "loginName"
"""In the address of a page with a new password: what password managers store it under."""

RECOVERED: Final = "recovered"
"""In the address of the last page: the password was set after a notice, so that the account may have what a thief left."""

MAX_ID: Final = 200
MAX_CODE: Final = 40


class EmailedLink(NamedTuple):
    """The user a link belongs to, and the code that verifies that the email was received.

    Attributes:
        org_id: the organization by the address of the page: used to choose what is shown, and for nothing else.
        login_name: as the link has it, for the password manager of the reader.
    """

    user_id: str
    code: str
    org_id: str = ""
    login_name: str = ""

    def __repr__(self) -> str:
        """Names the kind only."""
        return "EmailedLink(...)"


def load_link(parameters: Parameters) -> EmailedLink:
    """The link of an address.

    Raises:
        ServiceError: LOGIN-110 for what is no link of ours.
    """
    if {"userID", "code", "orgID", LOGIN_NAME} & parameters.repeated:
        raise REPEATED.error()
    user_id, code = parameters.get("userID", ""), parameters.get("code", "")
    if not (0 < len(user_id) <= MAX_ID and 0 < len(code) <= MAX_CODE):
        raise INCOMPLETE.error()
    org_id = parameters.get("orgID", "")
    return EmailedLink(user_id, code, org_id if len(org_id) <= MAX_ID else "", login_name_in(parameters))


def login_name_in(parameters: Parameters) -> str:
    """The login name of an address; nothing for what is too long to be one."""
    name = parameters.get(LOGIN_NAME, "")
    return name if len(name) <= MAX_ID else ""


def link_address(path: str, link: EmailedLink) -> str:
    """The address of the page at a path, with the link."""
    optional = {name: value for name, value in (("orgID", link.org_id), (LOGIN_NAME, link.login_name)) if value}
    return f"{path}?{urlencode({'userID': link.user_id, 'code': link.code, **optional})}"
