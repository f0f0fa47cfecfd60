"""Validates and fills URL templates of links in emails (HH-06)."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from typing import Final
from urllib.parse import quote, urlsplit

from portico_oauth.errors import ErrorCode, Kind
from portico_oauth.redirect_uris import may_register

INVALID_TEMPLATE = ErrorCode(
    "USER-331",
    Kind.INVALID_REQUEST,
    "Invalid URL template.",
    "Use an https address, or http on a loopback host, with no placeholders other than "
    "UserID, Code, OrgID and LoginName.",
)


def page_template(page: str) -> str:
    return f"{page}?userID={{{{.UserID}}}}&code={{{{.Code}}}}&orgID={{{{.OrgID}}}}"


def password_template(page: str) -> str:
    """Returns the template of a link to a page for a new password, with the login name for password managers."""
    return f"{page_template(page)}&loginName={{{{.LoginName}}}}"


def invitation_template(page: str) -> str:
    """Returns the template of an invitation link, which has a separate page."""
    return f"{password_template(page)}&invitation=1"


PLACEHOLDERS: Final = ("{{.UserID}}", "{{.Code}}", "{{.OrgID}}", "{{.LoginName}}")
_ANY: Final = re.compile("|".join(re.escape(placeholder) for placeholder in PLACEHOLDERS))


def filled(template: str, values: Mapping[str, str]) -> str:
    return _ANY.sub(lambda found: quote(values[found[0][3:-2]], safe=""), template)


def is_url_template(template: str, hosts: Collection[str] = ()) -> bool:
    """Accepts https URLs, and http on loopback, with only known placeholders; empty ``hosts`` allow any."""
    sample = _ANY.sub("x", template)
    if "{" in sample or "}" in sample or not may_register(sample):
        return False
    parts = urlsplit(template)
    if parts.scheme not in ("https", "http") or "{" in parts.netloc:
        return False
    return not hosts or parts.hostname in hosts
