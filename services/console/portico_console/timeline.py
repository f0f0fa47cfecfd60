"""Events of the API as entries of a time line: the sentence with links, and what changed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from portico_contracts.activities.activity import SYSTEM_NAME, sentence_values
from portico_contracts.activities.labels import field_label
from portico_contracts.activities.sign_ins import REFUSED, SIGN_IN_FAILED
from portico_contracts.activities.table import find_activity
from portico_contracts.activities.users import USER_IMPORTS
from portico_contracts.sign_in_failures import FAILURE_TEXTS
from portico_web.catalogue import load_catalogue
from portico_web.countries import country_name

from portico_console.forms.words import sign_in_methods
from portico_console.forms.words import word as word_of
from portico_console.messages import message
from portico_console.request_context import PACKAGE, RequestContext, segment

if TYPE_CHECKING:
    from markupsafe import Markup

_ELSEWHERE: Final = message("An administrator of another organization")
_DELETED: Final = message("A deleted user")
_TRUSTED_BROWSER: Final = message("No second factor: trusted browser")
_APART: Final = frozenset({"methods", "device", "country", "count", "reason", "skippedFactor", "failureReason"})
"""Values shown next to the sentence instead of as changes."""

_PATHS: Final = {
    "orgs": "/organization",
    "projects": "/projects/{id}",
    "idps": "/idps/{id}",
    "scimConnections": "/scim/{id}",
    "outsideServers": "/outside-servers/{id}",
    "webhooks": "/webhooks/{id}",
    "apps": "/projects/{project}/apps/{id}",
}


class Change(NamedTuple):
    label: str
    before: Sequence[str]
    after: Sequence[str]


class Entry(NamedTuple):
    """`about`, `actor`, `error` and `imported` (an import) are ids to filter by.

    `request` is a refused request with diagnostics; `login` is the login name of the actor.
    """

    id: str
    at: str
    sentence: Markup
    initials: str
    changes: list[Change]
    notes: list[str]
    times: int
    bad: bool
    about: str
    actor: str
    request: str
    error: str
    org: str
    imported: str
    login: str


class Day(NamedTuple):
    date: str
    entries: list[Entry]


def days_of(
    ctx: RequestContext, events: Iterable[dict[str, Any]], *, with_org: bool = False, linked: bool = True
) -> list[Day]:
    """Groups entries by day (UTC). `with_org` names their organization; names are links to pages of the console."""
    entries = [_entry(ctx, event, with_org=with_org, linked=linked) for event in events]
    return [Day(date, list(group)) for date, group in groupby(entries, key=lambda one: one.at[:10])]


def _entry(ctx: RequestContext, event: dict[str, Any], *, with_org: bool, linked: bool) -> Entry:
    payload, editor = event.get("payload", {}), event.get("editor", {})
    actor = actor_name(ctx, event)
    object = event.get("object", {})
    system = event["editorUserId"] == "system"
    about = object.get("id", "") if object.get("name") or object.get("loginName") or object.get("removed") else ""
    return Entry(
        id=event["id"],
        at=event["creationDate"],
        sentence=_sentence(ctx, event, actor, linked=linked),
        initials="" if system else initials_of(editor.get("name", "")),
        changes=[_change(ctx, one) for one in event.get("changes", ()) if one["field"] not in _APART],
        notes=_notes(ctx, payload),
        times=int(payload.get("count", 1)),
        bad=event["type"] in (SIGN_IN_FAILED, REFUSED),
        about=about,
        actor="" if system else event["editorUserId"],
        request=payload.get("requestId", ""),
        error=payload.get("errorId", ""),
        org=event.get("organization", {}).get("name", "") if with_org else "",
        imported=event["id"] if event.get("aggregateType") == USER_IMPORTS else "",
        login=editor.get("loginName", ""),
    )


def _sentence(ctx: RequestContext, event: dict[str, Any], actor: str, *, linked: bool) -> Markup:
    """The sentence of the activity in the user's language."""
    from markupsafe import Markup, escape  # noqa: PLC0415 - loaded with the template engine, by the first page

    own = event["editorUserId"] == event["aggregateId"]
    template = _translated(ctx, find_activity(event.get("activity", "")).template(own=own))
    related = event.get("related", ())
    project = next((one["id"] for one in related if one["type"] == "projects"), "")

    def name(thing: dict[str, Any], unnamed: str) -> Markup:
        shown = Markup("<bdi>{}</bdi>").format(thing.get("name") or thing.get("loginName") or unnamed)
        org = thing.get("resourceOwner") or event.get("resourceOwner", "")
        path = "" if thing.get("removed") or not thing.get("name") else _path(thing, org, project)
        return Markup('<a href="{}">{}</a>').format(f"{ctx.party.path}{path}", shown) if path and linked else shown

    values = sentence_values(
        Markup("<bdi>{}</bdi>").format(actor)
        if event["editorUserId"] == "system"
        else name(event.get("editor", {}), actor),
        name(event.get("object", {}), event["aggregateId"]),
        [(one["type"], name(one, one["id"])) for one in related],
    )
    return escape(template) % values


def actor_name(ctx: RequestContext, event: dict[str, Any]) -> str:
    editor = event.get("editor", {})
    if event["editorUserId"] == "system":
        return _translated(ctx, SYSTEM_NAME)
    unnamed = _DELETED if editor.get("removed") else _ELSEWHERE
    return editor.get("name") or editor.get("loginName") or _translated(ctx, unnamed)


def initials_of(name: str) -> str:
    words = name.split()
    return "".join(word[0] for word in (words[0], words[-1]) if word)[: 1 if len(words) == 1 else 2] if words else "?"


def _path(thing: dict[str, Any], org: str, project: str) -> str:
    kind, id = thing.get("type", ""), segment(thing.get("id", ""))
    if kind == "users":
        return f"/orgs/{segment(org)}/{'machines' if thing.get('serviceUser') else 'users'}/{id}"
    if kind not in _PATHS or (kind == "apps" and not project):
        return ""
    place = f"/orgs/{id if kind == 'orgs' else segment(org)}"
    place = "/instance" if org == "instance" and kind in ("idps", "webhooks") else place
    return f"{place}{_PATHS[kind].format(id=id, project=segment(project))}"


def _change(ctx: RequestContext, change: dict[str, Any]) -> Change:
    return Change(
        _translated(ctx, change.get("label") or field_label(change["field"])),
        [word_of(one) for one in change.get("before", ())],
        [word_of(one) for one in change.get("after", ())],
    )


def _notes(ctx: RequestContext, payload: dict[str, Any]) -> list[str]:
    """The reason of a refusal; method, kind of browser and country of a sign-in."""
    methods = (_translated(ctx, one) for one in sign_in_methods(payload.get("methods", ())))
    place = country_name(payload.get("country", ""), ctx.language.tag)
    skipped = _translated(ctx, _TRUSTED_BROWSER) if payload.get("skippedFactor") else ""
    failure = (
        _translated(ctx, FAILURE_TEXTS[word]) if (word := payload.get("failureReason", "")) in FAILURE_TEXTS else ""
    )
    notes = (failure, payload.get("reason", "").rstrip("."), *methods, skipped, payload.get("device", ""), place)
    return [text for text in notes if text]


def _translated(ctx: RequestContext, text: str) -> str:
    return str(load_catalogue(PACKAGE, ctx.language.tag).gettext(text))
