"""The frame around the pages of the console: the organization, and the navigation to lists and rules."""

from __future__ import annotations

import asyncio
from typing import Any, Final, NamedTuple
from urllib.parse import urlencode

from starlette.responses import Response

from portico_console.console_app.rights import Frame
from portico_console.console_app.screens.guides import help_on
from portico_console.console_app.screens.names import name_above
from portico_console.console_app.screens.requests import address
from portico_console.console_app.screens.screen import Screen
from portico_console.console_app.screens.table import BY_KEY, SCREENS
from portico_console.messages import message
from portico_console.request_context import RequestContext, segment

_OF_ORG: Final = (
    ("Applications", ("", "projects", "granted")),
    ("Users and groups", ("users", "invitations", "groups", "machines", "grants")),
    ("Sign-in", ("login", "idps")),
    ("Branding", ("branding", "texts", "links")),
    (
        "Organization",
        (
            "org",
            "domains",
            "members",
            "scim",
            "webhooks",
            "sms",
            "emails",
            "agents",
            "outside-servers",
            "metadata-apps",
            "client-metadata",
            "org-history",
        ),
    ),
)
_OF_INSTANCE: Final = (
    (
        "Instance",
        (
            "",
            "instance-orgs",
            "instance-members",
            "instance-webhooks",
            "instance-sms",
            "lifetimes",
            "signing-keys",
            "intents",
            "impersonation",
            "instance-requests",
            "instance-history",
        ),
    ),
    ("Sign-in", ("instance-login", "instance-idps", "instance-client-metadata")),
    ("Branding", ("instance-branding", "instance-texts", "instance-links")),
)
"""Title of the group, in English and translated, and keys of screens; the empty key is the first page."""

TITLES: Final = tuple(title for title, _keys in (*_OF_ORG, *_OF_INSTANCE))


class Entry(NamedTuple):
    key: str
    title: str
    href: str


class Group(NamedTuple):
    title: str
    entries: list[Entry]


def navigation(ctx: RequestContext, frame: Frame | None) -> list[Group]:
    if frame is None:
        return []
    groups = _OF_ORG if frame.org_id else _OF_INSTANCE
    found = (Group(title, _entries(ctx, frame, keys)) for title, keys in groups)
    return [group for group in found if group.entries]


def _entries(ctx: RequestContext, frame: Frame, keys: tuple[str, ...]) -> list[Entry]:
    found = []
    inside = {} if "org" in ctx.path else {"org": frame.org_id}
    for key in keys:
        if not key:
            found.append(_home(ctx, frame, inside))
        elif _may_see(frame, BY_KEY[key]):
            found.append(Entry(key, BY_KEY[key].title, address(ctx, BY_KEY[key].path, inside)))
    return found


def _home(ctx: RequestContext, frame: Frame, inside: dict[str, str]) -> Entry:
    if frame.org_id:
        return Entry("applications", "Applications", address(ctx, "/orgs/{org}", inside))
    return Entry("instance-overview", message("Overview"), address(ctx, "/instance", inside))


def _may_see(frame: Frame, screen: Screen) -> bool:
    reading = screen.listing or screen.getting
    return reading is not None and frame.may_call(reading.method)


def framed(
    ctx: RequestContext, template: str, frame: Frame, place: str, *, status: int = 200, **context: Any
) -> Response:
    """`place` is the key of the page's navigation entry; `around` keeps the organization in links to other pages."""
    org_id = ctx.path.get("org", "") or frame.org_id
    return ctx.page(
        f"console/{template}",
        status=status,
        frame=frame,
        place=place,
        org_id=segment(org_id),
        around=f"?{urlencode({'org': org_id})}" if org_id else "",
        groups=navigation(ctx, frame),
        help=help_on(place),
        **context,
    )


class Crumb(NamedTuple):
    title: str
    href: str
    named: bool = False


def _crumbs_of_ids(ctx: RequestContext, screen: Screen, *, inside: bool) -> list[Crumb]:
    parts = ctx.path
    above = [one for one in SCREENS if one.part and _is_above(one, screen)]
    found: list[Crumb] = []
    for one in sorted(above, key=lambda one: len(one.path)):
        found += (
            Crumb(one.title, address(ctx, one.path)),
            Crumb(parts[one.part], address(ctx, one.object_path), named=True),
        )
    return [*found, Crumb(screen.title, address(ctx, screen.path))] if inside else found


async def crumbs(ctx: RequestContext, screen: Screen, *, inside: bool = False) -> list[Crumb]:
    """Returns the parent screens, each with the name of its object; `inside` includes the list of the page."""
    found = _crumbs_of_ids(ctx, screen, inside=inside)
    by_address = {address(ctx, one.object_path): one for one in SCREENS if one.part and _is_above(one, screen)}
    names = await asyncio.gather(*(name_above(ctx, by_address[one.href], one.title) for one in found if one.named))
    left = iter(names)
    return [one._replace(title=next(left)) if one.named else one for one in found]


def _is_above(one: Screen, screen: Screen) -> bool:
    return screen.path.startswith(f"{one.object_path}/")
