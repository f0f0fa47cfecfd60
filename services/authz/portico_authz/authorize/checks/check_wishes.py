"""login_hint and ui_locales are wishes: kept when they can be used, never a reason to refuse (OIDC Core §3.1.2.1).

display and claims_locales are accepted with any value and ask for nothing. acr_values asks for the weakest level it
names, of people who have what it takes; nobody has to set anything up for it.
"""

from __future__ import annotations

import re
from typing import Final

from portico_oauth.assurance import ACR_VALUES, level_of

from portico_authz.context import Context

MAX_HINT: Final = 200
MAX_LOCALES: Final = 200
_TAG: Final = re.compile(r"[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8}){0,4}\Z")


def check_wishes(ctx: Context) -> None:
    """Keeps a hint of sensible length and the well-formed language tags of a list of sensible length (LG-23)."""
    hint = ctx.parameters.get("login_hint", "").strip()
    ctx.login_hint = hint if len(hint) <= MAX_HINT else ""
    ctx.ui_locales = read_locales(ctx.parameters.get("ui_locales", ""))
    wished = set(ctx.parameters.get("acr_values", "").split(" "))
    ctx.acr_named = tuple(acr for acr in ACR_VALUES if acr in wished)
    ctx.acr_level = min(map(level_of, ctx.acr_named), default=0)


def read_locales(text: str) -> tuple[str, ...]:
    """The well-formed language tags of a list of sensible length (LG-23)."""
    return tuple(tag for tag in text.split(" ") if _TAG.match(tag)) if len(text) <= MAX_LOCALES else ()
