"""The page of a policy: a card with its form, as those of the sign-in rules."""

from __future__ import annotations

from starlette.responses import Response

from portico_console.console_app.rights import load_frame
from portico_console.console_app.screens.actions import Doing, first_form, version_of
from portico_console.console_app.screens.choices import offered
from portico_console.console_app.screens.details import show_object
from portico_console.console_app.screens.frame import framed
from portico_console.console_app.screens.reading import read_object
from portico_console.console_app.screens.requests import address
from portico_console.console_app.screens.screen import Screen
from portico_console.request_context import RequestContext


async def show_policy(screen: Screen, ctx: RequestContext) -> Response:
    """Without the permission to change it, its values."""
    frame, policy = await load_frame(ctx), await read_object(ctx, screen)
    actions = offered(frame, screen, policy)
    saving = next((one for one in actions if one.only), None)
    if saving is None:
        return await show_object(screen, ctx)
    doing = Doing(ctx, screen, saving, frame, policy, address(ctx, screen.path), made=False)
    is_of_org = bool(ctx.path.get("org"))
    return framed(
        ctx,
        "screens/policy.html",
        frame,
        screen.key,
        screen=screen,
        fields=await first_form(doing),
        target=doing.target,
        sequence=version_of(doing),
        inherited=is_of_org and bool(policy.get("isDefault", False)),
        reset=next((f"{doing.base}/do/{one.word}" for one in actions if not one.only), ""),
        is_of_org=is_of_org,
    )
