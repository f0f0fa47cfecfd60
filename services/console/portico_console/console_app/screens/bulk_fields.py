"""What is chosen for a bulk action, such as the group that users are added to: in one form, or one after the other."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from portico_console.console_app.rights import Frame
from portico_console.console_app.screens.choices import waits_for, with_options
from portico_console.console_app.screens.screen import Action, Screen
from portico_console.forms.building import form_of
from portico_console.forms.field import PREFIX, Field
from portico_console.forms.reading import read
from portico_console.messages import message
from portico_console.request_context import RequestContext

_ASKED: Final = "asked"

NOT_CHOSEN: Final = message("Select at least one entry.")


class Chosen(NamedTuple):
    """`carried` are inputs of the next form; with `has_more`, another form with fields follows `fields`."""

    fields: tuple[Field, ...] = ()
    message: Mapping[str, Any] = {}
    carried: dict[str, str] = {}
    is_complete: bool = True
    has_more: bool = False
    problem: str = ""


NOTHING_CHOSEN: Final = Chosen()


async def chosen_for(
    ctx: RequestContext, screen: Screen, action: Action, frame: Frame, typed: Mapping[str, str]
) -> Chosen:
    """A field that waits for another one is in the form after it, which carries the other along."""
    if not action.only:
        return NOTHING_CHOSEN
    plain = form_of(action.method, action.only)
    had = split(action, {field.name: typed[field.input] for field in plain if typed.get(field.input)})
    ready = tuple(one for one in plain if not (other := waits_for(action, one.name)) or other in had)
    fields = await with_options(ctx, screen, action, frame, ready, had, {})
    form = read(fields, typed, change=False)
    missing = [one for one in form.fields if not form.message.get(one.name)]
    carried = {name: value for name, value in typed.items() if name.startswith(PREFIX)}
    if not missing and len(ready) == len(plain):
        return Chosen((), split(action, form.message), carried)
    decided = [one for one in form.fields if one not in missing]
    names = " ".join(one.name for one in missing)
    problem = ctx.words.gettext(NOT_CHOSEN) if typed.get(_ASKED) == names else ""
    return Chosen(
        tuple(missing),
        carried={one.input: typed[one.input] for one in decided} | {_ASKED: names},
        is_complete=False,
        has_more=len(ready) < len(plain),
        problem=problem,
    )


def split(action: Action, values: Mapping[str, Any]) -> dict[str, Any]:
    """Puts what is after the slash into its own field."""
    first, second = action.splits
    before, _, after = str(values.get(first, "")).partition("/")
    return {**values, first: before, second: after} if after else dict(values)
