"""What the fields of a form can be chosen from, and which actions are offered."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from portico_oauth.errors import Kind, ServiceError

from portico_console.console_app.rights import Frame
from portico_console.console_app.screens.found_users import as_person
from portico_console.console_app.screens.requests import address, filled, find, given, merged, text
from portico_console.console_app.screens.screen import Action, Options, Screen
from portico_console.forms.field import Field, Widget
from portico_console.forms.pickers import HEADINGS, MEANINGS
from portico_console.forms.words import word
from portico_console.management.api import LARGEST_PAGE
from portico_console.request_context import RequestContext

_NOT_FOUND: Final = frozenset({Kind.NOT_FOUND, Kind.INVALID_REQUEST, Kind.PERMISSION_DENIED})


async def with_options(
    ctx: RequestContext,
    screen: Screen,
    action: Action,
    frame: Frame,
    fields: tuple[Field, ...],
    thing: Any,
    had: Mapping[str, Any],
) -> tuple[Field, ...]:
    """`had` are the initial values: one that is no longer an option stays selectable."""
    found: list[Field] = []
    for field in fields:
        if field.name in action.of_users:
            found.append(as_person(field))
            continue
        if words := action.words.get(field.name):
            known = tuple((value, ctx.words.gettext(label)) for value, label in words)
            open_field = replace(field, blank=field.blank and field.name not in action.starts)
            found.append(_with_had(open_field, known, had))
            continue
        options = action.options.get(field.name)
        if options is None or not frame.may_call(options.method):
            found.append(field)
            continue
        choices = await _choices(ctx, screen, options, thing)
        if options.more and frame.may_call(options.more.method):
            choices += await _choices(ctx, screen, options.more, thing)
        if not choices and options.otherwise and frame.may_call(options.otherwise.method):
            choices = await _choices(ctx, screen, options.otherwise, thing)
        found.append(_with_had(field, choices, had) if choices else field)
    return tuple(found)


async def _choices(ctx: RequestContext, screen: Screen, options: Options, thing: Any) -> tuple[tuple[str, str], ...]:
    """Returns no options if there are more than fit on a page: then the field is free text."""
    page = {"query": {"limit": LARGEST_PAGE, "asc": True}} if options.value else {}
    fields = merged(given(ctx, screen, options.method), filled(options.fixed, ctx.path, thing), page)
    try:
        found = await ctx.api.call(options.method, fields, org=ctx.path.get("org", ""))
    except ServiceError as error:
        if error.kind not in _NOT_FOUND:
            raise
        return ()
    rows = found.get("result", [])
    if int(found.get("details", {}).get("totalResult", 0)) > len(rows):
        return ()
    if not options.value:
        return tuple((str(one), word(str(one))) for one in rows)
    found_values = ((str(find(one, options.value)), text(one, options.label or options.value)) for one in rows)
    return tuple((value, label) for value, label in found_values if value)


def _with_had(field: Field, choices: tuple[tuple[str, str], ...], had: Mapping[str, Any]) -> Field:
    kept = [str(one) for one in _list(had.get(field.name)) if one not in dict(choices)]
    return _chosen(field, (*choices, *((one, word(one)) for one in kept)))


def _chosen(field: Field, choices: tuple[tuple[str, str], ...]) -> Field:
    several = field.widget in (Widget.LINES, Widget.SEVERAL)
    widget = Widget.SEVERAL if several else Widget.CHOICE
    return replace(field, widget=widget, choices=choices, meanings=MEANINGS, headings=HEADINGS)


def _list(had: Any) -> list[Any]:
    if isinstance(had, list):
        return had
    return [had] if had else []


def waits_for(action: Action, name: str) -> str:
    """Returns the other field of the form that decides what this one can be chosen from; empty without one."""
    options = action.options.get(name)
    needed = [str(one).removeprefix("$.") for one in options.fixed.values()] if options else []
    return next((one for one in needed if one in action.only), "")


def offered(frame: Frame, screen: Screen, thing: Any) -> list[Action]:
    pages = {page.word for one in screen.actions for page in screen.tabs(one)[1:]}
    fitting = (one for one in screen.actions if one.word not in pages and not one.only_bulk)
    return [one for one in fitting if frame.may_call(one.method) and _fits(one, thing)]


def creations(ctx: RequestContext, frame: Frame, screen: Screen) -> list[Action]:
    """Returns what the user may create; `at` is the URL of a page made by hand."""
    may = (one for one in screen.create if frame.may_call(one.method))
    return [replace(one, at=address(ctx, one.at)) if one.at else one for one in may]


def reverse_of(screen: Screen, action: Action) -> Action | None:
    return next((one for one in screen.actions if action.undo and one.word == action.undo), None)


def arranged(
    screen: Screen, actions: Sequence[Action], first: Callable[[Action], bool] = lambda _: False
) -> tuple[Action | None, list[Action]]:
    """Returns the primary action of an object's page, and those of its menu, the destructive ones last.

    The primary one ends a lock or a deactivation, or else is the one that `first` selects, or the first. A destructive
    one is primary only if there is no other.
    """
    ends = {one.undo for one in screen.actions}
    found = sorted(actions, key=lambda one: (bool(one.loses), one.word not in ends, not first(one)))
    if found and (len(found) == 1 or not found[0].loses):
        return found[0], found[1:]
    return None, found


def for_several(frame: Frame, screen: Screen) -> list[Action]:
    return [one for one in screen.actions if one.bulk and frame.may_call(one.method)]


def _fits(action: Action, thing: Any) -> bool:
    if action.needs and not find(thing, action.needs):
        return False
    if action.own is not None and action.own is bool(find(thing, "isDefault")):
        return False
    return not action.states or text(thing, "state").endswith(action.states)
