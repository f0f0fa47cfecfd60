from __future__ import annotations

import base64
from typing import Any
from urllib.parse import urlencode

from google.protobuf.descriptor import FieldDescriptor
from portico_contracts.management import METHODS
from starlette.responses import Response

from portico_console.console_app.rights import load_frame
from portico_console.console_app.screens.frame import crumbs, framed
from portico_console.console_app.screens.requests import address, find
from portico_console.console_app.screens.screen import Action, Screen
from portico_console.forms.words import label_of
from portico_console.visit import Visit


async def kept_once(visit: Visit, action: Action, answer: Any, target: str, after: str) -> Response:
    """`target` is the URL of the action, `after` the page that follows."""
    shown = {name: _readable(action, name, str(find(answer, name))) for name in action.once}
    once = await visit.sessions.keep_to_show(visit.session, {**shown, "after": after})
    return visit.see(f"{target}/once?{urlencode({'once': once})}")


async def show_once(screen: Screen, visit: Visit, *, made: bool) -> Response:
    """That page: a second look at it shows nothing."""
    word = visit.path["action"]
    action = next(one for one in (*screen.create, *screen.actions) if one.word == word and one.once)
    kept = await visit.sessions.take_to_show(visit.session, visit.request.query_params.get("once", ""))
    frame = await load_frame(visit, visit.path.get("project", ""))
    back = address(visit, screen.path if made else screen.object_path)
    return framed(
        visit,
        "screens/once.html",
        frame,
        screen.key,
        crumbs=crumbs(visit, screen, inside=True),
        action=action,
        shown=[(label_of(name), kept[name]) for name in action.once if kept.get(name)] if kept else [],
        back=(kept or {}).get("after", back),
    )


def _readable(action: Action, name: str, value: str) -> str:
    field = METHODS[action.method.replace("/", ".")].response.DESCRIPTOR.fields_by_camelcase_name[name]
    return base64.b64decode(value).decode() if field.type == FieldDescriptor.TYPE_BYTES else value
