"""The confirmation of a reset to the instance's rules, with those who could no longer sign in."""

from __future__ import annotations

from typing import Final

from starlette.responses import Response

from portico_console.console_app.rights import load_frame
from portico_console.console_app.screens.actions import do_action, show_action
from portico_console.console_app.screens.table import SCREENS
from portico_console.console_app.sign_in_rules.effects import effects_of_reset
from portico_console.console_app.sign_in_rules.place import Place
from portico_console.request_context import RequestContext

PATH: Final = "/orgs/{org}/rules/login"
_SCREEN: Final = next(screen for screen in SCREENS if screen.path == PATH)


async def show_reset(ctx: RequestContext) -> Response:
    effects = await effects_of_reset(Place(ctx, await load_frame(ctx)))
    return await show_action(_SCREEN, ctx, made=False, effects=effects)


async def reset_rules(ctx: RequestContext) -> Response:
    return await do_action(_SCREEN, ctx, made=False)
