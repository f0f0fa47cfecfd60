"""Which templates may make the link in a mail (HH-06)."""

from __future__ import annotations

import re
from typing import Final
from urllib.parse import urlsplit

from portico_oauth.errors import Fact, Kind
from portico_oauth.redirect_uris import may_register

TEMPLATE_REFUSED = Fact(
    "USER-331",
    Kind.MALFORMED,
    "This cannot be the template of a link.",
    "Use an address with https, or http on a loopback host, and no placeholders but UserID, Code, OrgID, LoginName.",
)

PLACEHOLDERS: Final = ("{{.UserID}}", "{{.Code}}", "{{.OrgID}}", "{{.LoginName}}")
_ANY: Final = re.compile("|".join(re.escape(placeholder) for placeholder in PLACEHOLDERS))


def is_url_template(template: str) -> bool:
    """True for an https address, or http on a loopback host, in which only the known placeholders stand."""
    filled = _ANY.sub("x", template)
    if "{" in filled or "}" in filled or not may_register(filled):
        return False
    return urlsplit(template).scheme in ("https", "http") and "{" not in urlsplit(template).netloc
