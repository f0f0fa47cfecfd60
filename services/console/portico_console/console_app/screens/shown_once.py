from __future__ import annotations

import base64
import json
from typing import Any
from urllib.parse import urlencode

from google.protobuf.descriptor import FieldDescriptor
from portico_contracts.management import METHODS
from portico_oauth.errors import ErrorCode, Kind
from starlette.responses import Response

from portico_console.console_app.rights import load_frame
from portico_console.console_app.screens.frame import crumbs, framed
from portico_console.console_app.screens.requests import address, find
from portico_console.console_app.screens.screen import Action, Screen
from portico_console.forms.words import label_of
from portico_console.request_context import RequestContext

NO_ACTION = ErrorCode("CONS-264", Kind.NOT_FOUND, "Page not found.", "Go back to the list.")


async def kept_once(ctx: RequestContext, action: Action, answer: Any, target: str, after: str) -> str:
    """Returns the URL of the page that shows the secrets. `target` is the URL of the action, `after` the page that follows."""
    shown = {name: _readable(action, name, _as_text(find(answer, name))) for name in action.once}
    once = await ctx.sessions.keep_to_show(ctx.session, {**shown, "after": after})
    return f"{target}/once?{urlencode({'once': once})}"


async def show_once(screen: Screen, ctx: RequestContext, *, made: bool) -> Response:
    """That page: a second look at it shows nothing."""
    word = ctx.path["action"]
    action = next((one for one in (*screen.create, *screen.actions) if one.word == word and one.once), None)
    if action is None:
        raise NO_ACTION.error()
    kept = await ctx.sessions.take_to_show(ctx.session, ctx.request.query_params.get("once", ""))
    frame = await load_frame(ctx, ctx.path.get("project", ""))
    back = address(ctx, screen.path if made else screen.object_path)
    return framed(
        ctx,
        "screens/once.html",
        frame,
        screen.key,
        crumbs=await crumbs(ctx, screen, inside=True),
        action=action,
        shown=[(label_of(name), kept[name]) for name in action.once if kept.get(name)] if kept else [],
        back=(kept or {}).get("after", back),
    )


def _as_text(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, indent=2) if isinstance(value, dict) else str(value)


def _readable(action: Action, name: str, value: str) -> str:
    field = METHODS[action.method.replace("/", ".")].response.DESCRIPTOR.fields_by_camelcase_name[name]
    return base64.b64decode(value).decode() if field.type == FieldDescriptor.TYPE_BYTES else value
