from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from portico_contracts.management import METHODS
from portico_oauth.errors import ErrorCode, Kind, ServiceError
from portico_oauth.parameters import Parameters
from portico_oauth.typed_text import trimmed
from starlette.responses import Response

from portico_console.console_app.rights import Frame, load_frame
from portico_console.console_app.screens.bulk import OTHER_TEXT, Item, do_to_several
from portico_console.console_app.screens.bulk_whole import do_to_whole
from portico_console.console_app.screens.choices import reverse_of, with_options
from portico_console.console_app.screens.found_users import FIND, with_people
from portico_console.console_app.screens.frame import Crumb, crumbs, framed
from portico_console.console_app.screens.reading import hanging_on, read_object, read_some
from portico_console.console_app.screens.repeated import NOT_DONE, until_done
from portico_console.console_app.screens.requests import address, fields_stored, filled, find, given, merged, text
from portico_console.console_app.screens.screen import Action, Danger, Screen
from portico_console.console_app.screens.shown_once import NO_ACTION, kept_once
from portico_console.forms.building import form_of
from portico_console.forms.differences import Difference, differences, is_overtaken
from portico_console.forms.field import Field, has_file, is_filled, secrets_of
from portico_console.forms.filling import begun, problems_of, with_focus, with_problems
from portico_console.forms.reading import NOT_READ, Typed, read, read_draft
from portico_console.forms.row_buttons import changed_rows
from portico_console.request_context import RequestContext

_FATAL: Final = frozenset({Kind.UNAVAILABLE, Kind.SERVER_ERROR, Kind.UNAUTHENTICATED})

EXISTS = ErrorCode(
    "CONS-274",
    Kind.ALREADY_EXISTS,
    "This entry already exists. To change it, open it in the list.",
    "Edit the existing entry.",
)


@dataclass(frozen=True, slots=True)
class Doing:
    """`made`: the action creates an object; `thing` is empty then, and `base` is the URL of the list."""

    ctx: RequestContext
    screen: Screen
    action: Action
    frame: Frame
    thing: Any
    base: str
    made: bool

    @property
    def target(self) -> str:
        return f"{self.base}/do/{self.action.word}"


async def show_action(
    screen: Screen,
    ctx: RequestContext,
    *,
    made: bool,
    effects: object = None,
    adapted: Callable[[Any], Any] | None = None,
) -> Response:
    """The page with the form or the confirmation.

    Args:
        made: the address is that of the list, and the action makes an object.
        effects: what a confirmation shows of those whom the action affects.
        adapted: changes the object that the form starts with.
    """
    if made and (several := _for_several(screen, ctx)):
        return await _to_several(screen, ctx, several, ctx.typed_before or {})
    doing = await _begin(ctx, screen, made=made)
    doing = replace(doing, thing=adapted(doing.thing)) if adapted else doing
    ctx.require_recent(doing.action.method)
    typed = ctx.typed_before
    if not doing.action.only:
        return await _confirmation(doing, typed_name=(typed or {}).get("typed_name", ""), effects=effects)
    if typed is not None:
        form = read(await _fields(doing), typed, change=bool(doing.action.filled_from))
        form = await with_people(ctx, doing.action, form, typed)
        return await _form(doing, form.fields, sequence=typed.get("sequence", ""))
    return await _form(doing, await first_form(doing))


async def do_action(screen: Screen, ctx: RequestContext, *, made: bool) -> Response:
    """Answers the form; at the address of a list also of what is done to several objects."""
    typed = await ctx.read_form(with_file=_has_file(screen, ctx))
    if made and (several := _for_several(screen, ctx)):
        return await _to_several(screen, ctx, several, typed)
    doing = await _begin(ctx, screen, made=made)
    return await (_send_form(doing, typed) if doing.action.only else _send(doing, typed))


async def _to_several(screen: Screen, ctx: RequestContext, action: Action, typed: Mapping[str, str]) -> Response:
    frame = await load_frame(ctx, ctx.path.get("project", ""))
    return await (do_to_whole if "whole" in typed else do_to_several)(ctx, screen, action, frame, typed)


def _has_file(screen: Screen, ctx: RequestContext) -> bool:
    actions = [one for one in (*screen.create, *screen.actions) if one.word == ctx.path["action"] and one.only]
    return any(has_file(form_of(action.method, action.only)) for action in actions)


def _for_several(screen: Screen, ctx: RequestContext) -> Action | None:
    word = ctx.path["action"]
    return next((one for one in screen.actions if one.bulk and one.word == word), None)


async def _begin(ctx: RequestContext, screen: Screen, *, made: bool) -> Doing:
    actions = screen.create if made else screen.actions
    action = next((one for one in actions if one.word == ctx.path["action"] and not one.only_bulk), None)
    if action is None:
        raise NO_ACTION.error()
    frame = await load_frame(ctx, ctx.path.get("project", ""))
    has_object = not made and (screen.getting or screen.part)
    thing = await read_object(ctx, screen) if has_object else {}
    base = address(ctx, screen.path if made else screen.object_path)
    return Doing(ctx, screen, action, frame, thing, base, made)


async def first_form(doing: Doing) -> tuple[Field, ...]:
    """Returns the fields with their first values."""
    return begun(await _fields(doing), _filled_from(doing))


async def _fields(doing: Doing) -> tuple[Field, ...]:
    action = doing.action
    fields = form_of(action.method, action.only, change=bool(action.filled_from))
    fields = tuple(
        replace(field, folded=bool(action.shown) and at >= action.shown and not field.required)
        for at, field in enumerate(fields)
    )
    return await with_options(
        doing.ctx, doing.screen, doing.action, doing.frame, fields, doing.thing, _filled_from(doing)
    )


def _filled_from(doing: Doing) -> Mapping[str, Any]:
    found: dict[str, Any] = dict(doing.action.starts)
    for part in filter(None, doing.action.filled_from.split("|")):
        name, is_named, path = part.rpartition("=")
        there = doing.thing if path == "." else find(doing.thing, path)
        if is_named:
            found[name] = there
        elif isinstance(there, Mapping):
            found |= there
    return found


async def _send_form(doing: Doing, typed: Parameters) -> Response:
    if changed := changed_rows(typed):
        draft = read_draft(await _fields(doing), changed.typed).fields
        return await _form(doing, with_focus(draft, changed.focus), sequence=typed.get("sequence", ""))
    form = read(await _fields(doing), typed, change=bool(doing.action.filled_from))
    form = await with_people(doing.ctx, doing.action, form, typed)
    if doing.action.of_users and FIND in typed:
        return await _form(doing, form.fields, sequence=typed.get("sequence", ""))
    if form.violations:
        return await _refused(doing, form, NOT_READ.error(), form.violations, typed)
    try:
        if doing.action.replaces:
            await _refuse_existing(doing, form.message)
        async with doing.ctx.keeping(typed, at=doing.target, secrets=secrets_of(form.fields)):
            sequence = typed.get("sequence", "")
            answer, left = await until_done(lambda: _call(doing, form.message, sequence), doing.action.left)
    except ServiceError as error:
        if error.kind in _FATAL:
            raise
        return await _refused(doing, form, error, error.violations, typed)
    if left:
        return await _form(doing, form.fields, problem=doing.ctx.words.gettext(NOT_DONE) % {"count": left})
    return await _lead_on(doing, answer, form.message)


async def _refuse_existing(doing: Doing, message: Mapping[str, Any]) -> None:
    """Raises CONS-274 for an id that the list already has."""
    screen = doing.screen
    field = next(field for field, part in screen.parts.items() if part == screen.part)
    if any((await read_some(doing.ctx, screen, [str(message[field])])).values()):
        raise EXISTS.error()


async def _send(doing: Doing, typed: Parameters) -> Response:
    action = doing.action
    if action.danger is not Danger.PRESS and "confirmed" not in typed:
        return await _confirmation(doing)
    try:
        if action.danger is Danger.TYPE_NAME and trimmed(typed.get("typed_name", "")) != _name(doing):
            raise OTHER_TEXT.error()
        async with doing.ctx.keeping(typed, at=doing.target):
            answer = await _call(doing, {}, typed.get("sequence", ""))
    except ServiceError as error:
        if error.kind in _FATAL:
            raise
        return await _confirmation(doing, problem=doing.ctx.text_of(error), status=error.rendering.status)
    return await _lead_on(doing, answer, {})


async def _call(doing: Doing, message: Mapping[str, Any], sequence: str) -> Any:
    """Sends the version that the page was rendered from, so that a concurrent change is not overwritten."""
    ctx, action = doing.ctx, doing.action
    known = {**_of_other_tabs(doing), **given(ctx, doing.screen, action.method)}
    fields = merged(known, filled(action.fixed, ctx.path, doing.thing), message)
    versioned = METHODS[action.method.replace("/", ".")].answers_version and sequence.isdecimal()
    headers = {"if-match": f'"{sequence}"'} if versioned else {}
    return await ctx.api.call(action.method, fields, org=ctx.path.get("org", ""), headers=headers)


def _of_other_tabs(doing: Doing) -> dict[str, Any]:
    """Returns the stored values without an input on this page of the form, which the operation replaces too."""
    action = doing.action
    if not action.tab:
        return {}
    stored = fields_stored(action.method, _filled_from(doing))
    return {name: value for name, value in stored.items() if name not in action.only}


async def _lead_on(doing: Doing, answer: Any, sent: Mapping[str, Any]) -> Response:
    """Redirects to the created object, to the page that shows a secret once, or back, with a notice of what was done."""
    ctx, screen, action = doing.ctx, doing.screen, doing.action
    after = doing.base
    if doing.made and action.leads_to and screen.part:
        after = address(ctx, screen.object_path, {screen.part: text(answer, action.leads_to)})
    if any(find(answer, name) for name in action.once):
        after = await kept_once(ctx, action, answer, doing.target, after)
    removed = not doing.made and action.word == "remove" and bool(screen.part)
    return await ctx.see_notice(
        address(ctx, screen.path) if removed else after, action.done, undo=_undo(doing), name=_named(doing, sent)
    )


def _undo(doing: Doing) -> str:
    """Returns the URL of the form that reverses the action, if the user may send it."""
    back = reverse_of(doing.screen, doing.action)
    return f"{doing.base}/do/{back.word}" if back and doing.frame.may_call(back.method) else ""


def _named(doing: Doing, sent: Mapping[str, Any]) -> str:
    """Returns the name of what was created or changed; of an unnamed one, what it is called in the table."""
    path = doing.action.named or ("name" if doing.made else "")
    return (text(sent, path) if path else "") or text(doing.action.starts, "name") or _name(doing) or doing.action.title


async def _form(
    doing: Doing,
    fields: Sequence[Field],
    *,
    problem: str = "",
    left: Sequence[Any] = (),
    status: int = 200,
    sequence: str = "",
    overtaken: bool = False,
    stored_now: Sequence[Difference] = (),
) -> Response:
    return await _page(
        doing, "form", fields=fields, problem=problem, left=left, status=status, sequence=sequence or version_of(doing),
        more_open=_more_open(doing, fields), overtaken=overtaken, stored_now=stored_now,
    )  # fmt: skip


def _more_open(doing: Doing, fields: Sequence[Field]) -> bool:
    """The rarely used fields are open where one has a value; the defaults of a new object are none."""
    is_new = not doing.action.filled_from and doing.ctx.request.method == "GET"
    return not is_new and any(field.folded and is_filled(field) for field in fields)


async def _refused(
    doing: Doing, form: Typed, error: ServiceError, violations: Sequence[Any], typed: Parameters
) -> Response:
    """A form that another change has overtaken gets the current version, and shows what is stored now."""
    fields, overtaken = with_problems(form.fields, violations), is_overtaken(error)
    stored = await first_form(doing) if overtaken else ()
    return await _form(
        doing,
        fields,
        problem=doing.ctx.text_of(error),
        left=problems_of(fields, violations),
        status=error.rendering.status,
        sequence="" if overtaken else typed.get("sequence", ""),
        overtaken=overtaken,
        stored_now=differences(fields, stored) if overtaken else (),
    )


async def _confirmation(
    doing: Doing, *, problem: str = "", status: int = 200, typed_name: str = "", effects: object = None
) -> Response:
    name = _name(doing)
    counted = bool(doing.action.loses) and not doing.made
    hanging = await hanging_on(doing.ctx, doing.screen, doing.frame) if counted else []
    typed = name if doing.action.danger is Danger.TYPE_NAME else ""
    return await _page(
        doing, "confirm", problem=problem, status=status, title=(doing.action.title, 1), of_name=name, type_count="", names=[Item(name, name)] if name else [], hidden={}, type_name=typed, typed_name=typed_name, hanging=hanging, fields=(), has_more=False, effects=effects,
        sequence=version_of(doing),
    )  # fmt: skip


async def _crumbs(doing: Doing) -> list[Crumb]:
    found = await crumbs(doing.ctx, doing.screen, inside=True)
    name = _name(doing)
    return [*found, Crumb(name, doing.base, named=True)] if name and doing.screen.part else found


async def _page(doing: Doing, template: str, **context: Any) -> Response:
    return framed(
        doing.ctx,
        f"screens/{template}.html",
        doing.frame,
        doing.screen.key,
        crumbs=await _crumbs(doing),
        action=doing.action,
        target=doing.target,
        back=doing.base,
        tabs=[
            (one.tab, f"{doing.base}/do/{one.word}", one.word == doing.action.word)
            for one in doing.screen.tabs(doing.action)
        ],
        **context,
    )


def _name(doing: Doing) -> str:
    return text(doing.thing, doing.screen.name) if doing.screen.name and not doing.made else ""


def version_of(doing: Doing) -> str:
    return text(doing.thing, "details.sequence")
