"""The page "Branding": colours, font and logos of the sign-in pages, beside samples of the sign-in page."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final
from urllib.parse import urlencode

from portico_contracts.management import METHODS
from portico_oauth.errors import Kind, ServiceError
from starlette.responses import Response

from portico_console.console_app.branding.label import (
    BY_KEY,
    COLOURS,
    FONTS,
    SWITCHES,
    THEMES,
    field_of,
    problems_of,
    values_of,
)
from portico_console.console_app.branding.sample import policy_of, service_of
from portico_console.console_app.rights import Frame, load_frame
from portico_console.console_app.screens.frame import framed
from portico_console.console_app.screens.requests import address, text
from portico_console.forms.differences import differing, is_overtaken
from portico_console.forms.words import label_of
from portico_console.messages import message
from portico_console.request_context import RequestContext

SAVED: Final = message("The branding was saved. New sign-in pages show it at once.")
UPLOADED: Final = message("The logo was uploaded.")
REMOVED: Final = message("The logo was removed.")

_FATAL: Final = frozenset({Kind.UNAVAILABLE, Kind.SERVER_ERROR, Kind.UNAUTHENTICATED})


async def show_branding(ctx: RequestContext) -> Response:
    frame = await load_frame(ctx)
    policy = await policy_of(ctx, "Label")
    return _page(ctx, frame, policy, values_of(policy))


async def change_branding(ctx: RequestContext) -> Response:
    typed = await ctx.read_form()
    frame = await load_frame(ctx)
    policy = await policy_of(ctx, "Label")
    values, sequence = values_of(typed), typed.get("sequence", "")
    if "preview" in typed:
        return _page(ctx, frame, policy, values, sequence)
    if problems_of(values):
        return _page(ctx, frame, policy, values, sequence, status=400)
    try:
        await _save(ctx, policy, values, sequence)
    except ServiceError as error:
        if error.kind in _FATAL:
            raise
        return _page(ctx, frame, policy, values, sequence, error=error, status=error.rendering.status)
    return await ctx.see_notice(_here(ctx), SAVED)


async def _save(ctx: RequestContext, policy: Any, values: Mapping[str, Any], sequence: str) -> None:
    custom = ("AddCustom" if policy.get("isDefault", False) else "UpdateCustom") if ctx.path.get("org") else "Update"
    method = f"{service_of(ctx)}/{custom}LabelPolicy"
    versioned = sequence.isdecimal() and METHODS[method.replace("/", ".")].answers_version
    headers = {"if-match": f'"{sequence}"'} if versioned else {}
    await ctx.api.call(method, values, org=ctx.path.get("org", ""), headers=headers)


async def change_logo(ctx: RequestContext) -> Response:
    """Uploads or removes the logo of one theme."""
    typed = await ctx.read_form(with_file=True)
    theme = BY_KEY.get(typed.get("theme", ""), THEMES[0])
    removes = "remove" in typed
    verb = "Remove" if removes else "Set"
    fields = {"theme": theme.logo} | ({} if removes else {"logo": typed.get("logo", "")})
    try:
        await ctx.api.call(f"{service_of(ctx)}/{verb}LabelPolicyLogo", fields, org=ctx.path.get("org", ""))
    except ServiceError as error:
        if error.kind in _FATAL:
            raise
        frame, policy = await load_frame(ctx), await policy_of(ctx, "Label")
        problem = {theme.key: error.violations[0].text if error.violations else ctx.text_of(error)}
        return _page(ctx, frame, policy, values_of(policy), logo_problems=problem, status=error.rendering.status)
    return await ctx.see_notice(_here(ctx), REMOVED if removes else UPLOADED)


def _here(ctx: RequestContext) -> str:
    return address(ctx, "/orgs/{org}/rules/branding" if ctx.path.get("org") else "/instance/rules/branding")


def _page(
    ctx: RequestContext,
    frame: Frame,
    policy: Any,
    values: Mapping[str, Any],
    sequence: str = "",
    *,
    error: ServiceError | None = None,
    logo_problems: Mapping[str, str] | None = None,
    status: int = 200,
) -> Response:
    here, overtaken = _here(ctx), is_overtaken(error)
    kind = "" if ctx.path.get("org") else "instance-"
    custom = "Update" if kind else "UpdateCustom"
    return framed(
        ctx,
        "branding/branding.html",
        frame,
        f"{kind}branding",
        status=status,
        preview=True,
        frame_uri=f"{ctx.party.origin}{here}/sample/",
        policy=policy,
        sequence=(sequence if not overtaken else "") or text(policy, "details.sequence"),
        overtaken=overtaken,
        stored_now=differing(values, values_of(policy), {name: label_of(name) for name in values}) if overtaken else (),
        values=values,
        problems=problems_of(values),
        problem=ctx.text_of(error) if error else "",
        refused=status != 200 and not logo_problems,
        logo_problems=logo_problems or {},
        themes=THEMES,
        colours=COLOURS,
        fonts=FONTS,
        switches=SWITCHES,
        field_of=field_of,
        query=urlencode({name: value for name, value in values.items() if value}),
        editable=frame.may_call(f"{service_of(ctx)}/{custom}LabelPolicy"),
        target=here,
        rules=here.removesuffix("/branding"),
    )
