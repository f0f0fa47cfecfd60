"""Pages of the console and single settings that a search finds by their titles and by words for the same."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Final, NamedTuple
from urllib.parse import urlencode

from portico_console.console_app.find.results import Group, Part, Result, marked
from portico_console.console_app.rights import Frame
from portico_console.console_app.screens.frame import navigation
from portico_console.console_app.screens.requests import address
from portico_console.console_app.screens.screen import Screen
from portico_console.console_app.screens.table import BY_KEY
from portico_console.console_app.sign_in_rules.sections import FACTORS, LOGIN, SECTIONS, Number, Switch
from portico_console.messages import message
from portico_console.request_context import RequestContext

_TITLE: Final = message("Pages and settings")
_MOST: Final = 8
_LEAST: Final = 3

_SYNONYMS: Final = {
    "users": message("people accounts persons employees"),
    "machines": message("programs robots scripts service accounts"),
    "login": message("password passkey second factor two-factor MFA security registration"),
    "branding": message("logo colors theme appearance font"),
    "texts": message("emails templates wording translations"),
    "history": message("history log events activity yesterday"),
    "members": message("permissions rights owners"),
    "idps": message("single sign-on SSO social login Google Microsoft SAML LDAP"),
    "requests": message("errors debugging troubleshooting"),
}
"""Other words for a page, by the key of its entry in the navigation; those of the instance have the same."""


class Place(NamedTuple):
    title: str
    href: str
    within: str = ""
    synonyms: str = ""


def places_for(ctx: RequestContext, frame: Frame, typed: str) -> list[Group]:
    """Returns the group of pages and settings with all typed words; none without a match."""
    words = _folded(typed).split()
    if not words:
        return []
    found = [place for place in _places(ctx, frame) if _matches(place, words)]
    # What was typed begins the title of a page more likely than a setting on it.
    found.sort(key=lambda place: not _folded(place.title).startswith(words[0]))
    results = [_result(place, words) for place in found[:_MOST]]
    return [Group(_TITLE, results, more=False, all="")] if results else []


def _places(ctx: RequestContext, frame: Frame) -> Iterator[Place]:
    translated = ctx.words.gettext
    inside = {} if "org" in ctx.path or not frame.org_id else {"org": frame.org_id}
    for group in navigation(ctx, frame):
        for entry in group.entries:
            key = entry.key.removeprefix("instance-").removeprefix("org-")
            synonyms = translated(_SYNONYMS[key]) if key in _SYNONYMS else ""
            within = translated(group.title) if group.title != entry.title else ""
            yield Place(translated(entry.title), entry.href, within, synonyms)
            if screen := BY_KEY.get(entry.key):
                yield from _creations(ctx, frame, screen, inside)
            if key == "login":
                yield from _rules(ctx, entry.href, translated(entry.title))

    around = f"?{urlencode({'org': frame.org_id})}" if frame.org_id else ""
    developers, refused = translated("Developers"), translated(_SYNONYMS["requests"])
    yield Place(translated("Why was this refused?"), f"{ctx.party.path}/requests{around}", developers, refused)
    yield Place(translated("API"), f"{ctx.party.path}/api{around}", developers)


def _creations(ctx: RequestContext, frame: Frame, screen: Screen, inside: dict[str, str]) -> Iterator[Place]:
    for action in screen.create:
        if frame.may_call(action.method):
            href = address(ctx, action.at or f"{screen.path}/do/{action.word}", inside)
            yield Place(ctx.words.gettext(action.title), href, ctx.words.gettext(screen.title))


def _rules(ctx: RequestContext, href: str, page: str) -> Iterator[Place]:
    """The settings of the page of sign-in rules, each with its place on the page."""
    translated = ctx.words.gettext
    for section in SECTIONS:
        within = f"{page} › {translated(section.title)}"
        if section is not LOGIN:
            yield Place(translated(section.title), f"{href}#{section.key}", page)
        for one in chain[Switch | Number](section.switches, section.numbers):
            yield Place(translated(one.label), f"{href}#{one.name}", within)
    for factor in FACTORS:
        yield Place(translated(factor.label), f"{href}#factor-{factor.key}", f"{page} › {translated(LOGIN.title)}")


def _matches(place: Place, words: Iterable[str]) -> bool:
    """Synonyms are found by their beginnings only."""
    title = _folded(place.title)
    beginnings = _folded(f"{place.title} {place.synonyms}").replace("-", " ").split()
    return all(
        any(one.startswith(word) for one in beginnings) or (len(word) >= _LEAST and word in title) for word in words
    )


def _result(place: Place, words: Iterable[str]) -> Result:
    matching = [one for one in place.title.split() if any(word in _folded(one) for word in words)]
    return Result(place.href, marked(place.title, matching), [Part(place.within, marked=False)], "", "")


def _folded(text: str) -> str:
    decomposed = unicodedata.normalize("NFKD", text.casefold())
    return "".join(one for one in decomposed if not unicodedata.combining(one))
