"""What every tab of a user's page shows: the header with its actions, and the tabs."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import urlencode

from portico_oauth.errors import Kind as ErrorKind
from portico_oauth.errors import ServiceError
from starlette.responses import Response

from portico_console.console_app.rights import Frame, load_frame
from portico_console.console_app.screens.choices import arranged, offered
from portico_console.console_app.screens.frame import framed
from portico_console.console_app.screens.requests import address, cell, given, text
from portico_console.console_app.screens.screen import Action
from portico_console.console_app.screens.table import BY_KEY
from portico_console.console_app.screens.tables.user_lists import PERSON_STATE
from portico_console.console_app.users.ago import ago
from portico_console.management.api import Fields
from portico_console.messages import message
from portico_console.request_context import RequestContext
from portico_console.sessions.session import initials_of

USER_API: Final = "portico.user.v2.UserService"
MANAGEMENT: Final = "portico.management.v1"
ONE: Final = "/orgs/{org}/users/{user}"

_METHOD: Final = "AUTHENTICATION_METHOD_TYPE_"
_FIRST_FACTORS: Final = frozenset({"PASSWORD", "PASSKEY", "IDP"})

TABS: Final = (
    ("", message("Overview")),
    ("sign-in", message("Sign-in")),
    ("access", message("Access")),
    ("history", message("History")),
)

_NOT_HUMAN: Final = frozenset({ErrorKind.INVALID_REQUEST, ErrorKind.FAILED_PRECONDITION})


@dataclass(frozen=True, slots=True)
class UserPage:
    """`methods` are the credentials of the user; None without the permission to see them."""

    frame: Frame
    user: Fields
    methods: frozenset[str] | None

    @property
    def name(self) -> str:
        return text(self.user, "human.profile.displayName|username")

    @property
    def email(self) -> str:
        return text(self.user, "human.email.email")

    @property
    def last_sign_in(self) -> str:
        return text(self.user, "human.lastSignIn")

    @property
    def invitation(self) -> Fields:
        """Empty without one that is neither accepted nor revoked."""
        return Fields(self.user.get("human", {}).get("invitation", {}))

    @property
    def cannot_sign_in(self) -> bool:
        return self.methods is not None and not self.methods & _FIRST_FACTORS


async def ask(ctx: RequestContext, frame: Frame, method: str, fields: Mapping[str, Any] | None = None) -> Fields | None:
    """Calls a method for the user of the URL; None without the permission."""
    if not frame.may_call(method):
        return None
    return await ctx.api.call(method, {**given(ctx, BY_KEY["users"], method), **(fields or {})}, org=ctx.path["org"])


async def load_user(ctx: RequestContext, frame: Frame | None = None) -> UserPage:
    frame = frame or await load_frame(ctx)
    user, methods = await asyncio.gather(
        ctx.api.call(f"{USER_API}/GetUserByID", {"userId": ctx.path["user"]}, org=ctx.path["org"]),
        methods_of(ctx, frame),
    )
    return UserPage(frame, user["user"], methods)


async def methods_of(ctx: RequestContext, frame: Frame) -> frozenset[str] | None:
    """Returns ``PASSWORD``, ``PASSKEY``, …; None without the permission, and for service users."""
    try:
        found = await ask(ctx, frame, f"{USER_API}/ListAuthenticationMethodTypes")
    except ServiceError as error:
        if error.kind not in _NOT_HUMAN:
            raise
        return None
    if found is None:
        return None
    return frozenset(one.removeprefix(_METHOD) for one in found.get("authMethodTypes", ()))


def actions_of(shown: UserPage) -> tuple[Action | None, list[Action]]:
    screen = BY_KEY["users"]
    found = [one for one in offered(shown.frame, screen, shown.user) if _makes_sense(shown, one)]
    wanted = "invite" if shown.cannot_sign_in else "profile"
    return arranged(screen, found, lambda one: one.word == wanted)


def _makes_sense(shown: UserPage, action: Action) -> bool:
    if action.word == "invite":
        return shown.cannot_sign_in
    return action.word != "reset" or shown.methods is None or "PASSWORD" in shown.methods


def user_page(
    ctx: RequestContext, shown: UserPage, tab: str, template: str = "", *, status: int = 200, **context: Any
) -> Response:
    """`tab` is the current tab, whose name the template has by default."""
    base = address(ctx, ONE)
    primary, others = actions_of(shown)
    return framed(
        ctx,
        f"users/{template or tab or 'overview'}.html",
        shown.frame,
        "users",
        status=status,
        person=shown,
        initials=initials_of(shown.name),
        last=ago(ctx.now, shown.last_sign_in) if shown.last_sign_in else None,
        state=cell(shown.user, PERSON_STATE),
        base=base,
        list_href=address(ctx, "/orgs/{org}/users"),
        tab=tab,
        tabs=[(word, title, f"{base}/{word}".rstrip("/")) for word, title in TABS],
        primary=primary,
        offboard=next((one for one in others if one.word == "deactivate"), None),
        others=[one for one in others if one.word != "deactivate"],
        may={one.word for one in (primary, *others) if one},
        **context,
    )


async def see_kept(ctx: RequestContext, page: str, name: str, kept: Any) -> Response:
    """Redirects to a page, which reads `kept` once by `kept_before`."""
    once = await ctx.sessions.keep_to_show(ctx.session, {name: kept})
    return ctx.see(f"{page}?{urlencode({name: once})}")


async def kept_before(ctx: RequestContext, name: str) -> Any:
    once = ctx.request.query_params.get(name, "")
    kept = await ctx.sessions.take_to_show(ctx.session, once) if once else None
    return (kept or {}).get(name)
