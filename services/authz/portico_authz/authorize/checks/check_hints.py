"""Checks login_hint, ui_locales and acr_values, which are never an error (OIDC Core section 3.1.2.1).

acr_values requests the weakest level it names, of users who have the factors for it; no user has to enrol one.
"""

from __future__ import annotations

import re
from typing import Final

from portico_oauth.assurance import level_of, published_in
from portico_oauth.errors import Compared
from portico_oauth.typed_text import trimmed

from portico_authz.checked_request import CheckedRequest, RequestedAcr

MAX_HINT: Final = 200
MAX_LOCALES: Final = 200
_TAG: Final = re.compile(r"[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8}){0,4}\Z")


def check_hints(ctx: CheckedRequest) -> None:
    """Sets a hint of at most 200 characters, the well-formed language tags and the known acr values (LG-23)."""
    hint = trimmed(ctx.parameters.get("login_hint", ""))
    ctx.login_hint = hint if len(hint) <= MAX_HINT else ""
    ctx.ui_locales = read_locales(ctx.parameters.get("ui_locales", ""))
    if acr_values := ctx.parameters.get("acr_values"):
        words = published_in(acr_values.split(" "))
        ctx.acr = RequestedAcr(words, min(map(level_of, words), default=0))


def compare_hints(_ctx: CheckedRequest) -> Compared:
    """Diagnostics show nothing of the hints."""
    return Compared("hints")


def read_locales(text: str) -> tuple[str, ...]:
    """Returns the well-formed language tags of a list of at most 200 characters (LG-23)."""
    return tuple(tag for tag in text.split(" ") if _TAG.match(tag)) if len(text) <= MAX_LOCALES else ()
