"""Which templates may make the link in an email (HH-06)."""

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
    """The template of a link to a page of our own, which takes who it is and the code.

    Args:
        page: its address.
    """
    return f"{page}?userID={{{{.UserID}}}}&code={{{{.Code}}}}&orgID={{{{.OrgID}}}}"


def password_template(page: str) -> str:
    """The template of a link to a page with a new password, which password managers store under the login name."""
    return f"{page_template(page)}&loginName={{{{.LoginName}}}}"


PLACEHOLDERS: Final = ("{{.UserID}}", "{{.Code}}", "{{.OrgID}}", "{{.LoginName}}")
_ANY: Final = re.compile("|".join(re.escape(placeholder) for placeholder in PLACEHOLDERS))


def filled(template: str, values: Mapping[str, str]) -> str:
    """The link: placeholders become their values, encoded, in one pass; nothing else is interpreted.

    Args:
        values: by the name of the placeholder, without its braces.
    """
    return _ANY.sub(lambda found: quote(values[found[0][3:-2]], safe=""), template)


def is_url_template(template: str, hosts: Collection[str] = ()) -> bool:
    """True for an https address, or http on a loopback host, with only the known placeholders.

    Args:
        hosts: where it may lead; empty for anywhere.
    """
    sample = _ANY.sub("x", template)
    if "{" in sample or "}" in sample or not may_register(sample):
        return False
    parts = urlsplit(template)
    if parts.scheme not in ("https", "http") or "{" in parts.netloc:
        return False
    return not hosts or parts.hostname in hosts
