from __future__ import annotations

from portico_contracts.languages import OWN_NAMES
from starlette.responses import Response

from portico_console.console_app.screens.requests import address, text
from portico_console.console_app.users.user_page import kept_before, load_user, user_page
from portico_console.management.api import Fields
from portico_console.request_context import RequestContext


async def show_overview(ctx: RequestContext) -> Response:
    """Profile, contact and account of a user; service users have another page."""
    shown = await load_user(ctx)
    if "machine" in shown.user and "human" not in shown.user:
        return ctx.see(address(ctx, "/orgs/{org}/machines/{user}", {"user": ctx.path["user"]}))
    language = text(shown.user, "human.profile.preferredLanguage")
    kept = await kept_before(ctx, "problem") or {}
    return user_page(
        ctx,
        shown,
        "",
        problem=kept.get("sentence", ""),
        reason=kept.get("reason", ""),
        speaks=OWN_NAMES.get(language, language),
        login_names=_login_names(shown.user),
        gender=text(shown.user, "human.profile.gender").removeprefix("GENDER_"),
    )


def _login_names(user: Fields) -> list[str]:
    """Leaves out the user name with a domain after it, where it is an address: the address alone is enough."""
    name = user["username"]
    return [one for one in user.get("loginNames", ()) if "@" not in name or not one.startswith(f"{name}@")]
