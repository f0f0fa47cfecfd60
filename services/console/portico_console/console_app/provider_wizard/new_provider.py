from __future__ import annotations

import base64
import re
from typing import Final
from urllib.parse import urlencode

from portico_oauth.errors import ErrorCode, Kind, ServiceError
from portico_oauth.parameters import Parameters
from starlette.responses import Response

from portico_console.console_app.provider_wizard.place import Place
from portico_console.console_app.provider_wizard.preset import Preset
from portico_console.console_app.provider_wizard.presets import BY_WORD, PRESETS, preset_of
from portico_console.console_app.provider_wizard.provider_form import (
    ProviderFields,
    add_unshown,
    as_values,
    fields_of,
    initial_values,
    request_of,
    secrets_of,
    stored_values,
)
from portico_console.console_app.rights import Frame, load_frame
from portico_console.console_app.screens.frame import Crumb, framed
from portico_console.console_app.screens.requests import text
from portico_console.forms.differences import Difference, differences, is_overtaken
from portico_console.forms.filling import problems_of
from portico_console.management.api import Fields
from portico_console.messages import message
from portico_console.request_context import RequestContext

_FATAL: Final = frozenset({Kind.UNAVAILABLE, Kind.SERVER_ERROR, Kind.UNAUTHENTICATED})
_ID: Final = re.compile(r"[a-z0-9]{26}\Z", re.ASCII)

ADDED: Final = message("%(name)s was added. Test it before you show it on the sign-in page.")
CHANGED: Final = message("%(name)s was changed.")

NO_PRESET = ErrorCode(
    "CONS-270", Kind.NOT_FOUND, "Unknown kind of identity provider.", "Choose one of those on the page."
)
NOT_EDITABLE = ErrorCode(
    "CONS-271",
    Kind.NOT_FOUND,
    "This identity provider cannot be edited here.",
    "Edit a provider of the instance on the pages of the instance.",
)


async def show_new(ctx: RequestContext) -> Response:
    """The presets; with one chosen, its form. The id is in the URL, so that a reload shows the same redirect URI."""
    place, query = Place.of(ctx), ctx.request.query_params
    preset = BY_WORD.get(query.get("preset", ""))
    if preset is None:
        return framed(
            ctx,
            "provider_wizard/presets.html",
            await load_frame(ctx),
            place.key,
            presets=PRESETS,
            crumbs=_crumbs(place),
        )
    ctx.require_recent(place.method(f"Add{preset.method}Provider"))
    if not _ID.match(query.get("id", "")):
        id = base64.b32encode(ctx.random(16)).decode().rstrip("=").lower()
        return ctx.see(f"{place.new_href}?{urlencode({'preset': preset.word, 'id': id})}")
    typed = ctx.typed_before
    values = as_values(Parameters(list(typed.items())), preset) if typed else initial_values(preset)
    return await _form(place, preset, values, id=query["id"])


async def add_provider(ctx: RequestContext) -> Response:
    place, typed = Place.of(ctx), await ctx.read_form()
    preset, id = BY_WORD.get(typed.get("preset", "")), typed.get("id", "")
    if preset is None or not _ID.match(id):
        raise NO_PRESET.error()
    target = f"{place.new_href}?{urlencode({'preset': preset.word, 'id': id})}"
    fields = request_of(preset, typed, change=False) | {"id": id}
    try:
        async with ctx.keeping(typed, at=target, secrets=secrets_of(preset)):
            await place.call(f"Add{preset.method}Provider", fields)
    except ServiceError as error:
        if error.kind in _FATAL:
            raise
        return await _form(place, preset, as_values(typed, preset), id=id, error=error)
    return await ctx.see_notice(place.href(id), ADDED, name=fields["name"])


async def show_edit(ctx: RequestContext) -> Response:
    place = Place.of(ctx)
    preset, provider = await load_editable(place)
    ctx.require_recent(place.method(f"Update{preset.method}Provider"))
    typed = ctx.typed_before
    values = as_values(Parameters(list(typed.items())), preset) if typed else stored_values(preset, provider)
    sequence = typed.get("sequence", "") if typed else ""
    return await _form(place, preset, values, id=provider["id"], provider=provider, sequence=sequence)


async def change_provider(ctx: RequestContext) -> Response:
    place, typed = Place.of(ctx), await ctx.read_form()
    preset, provider = await load_editable(place)
    fields = request_of(preset, typed, change=True) | {"idpId": provider["id"]}
    add_unshown(fields, place.method(f"Update{preset.method}Provider"), preset, provider)
    sequence = typed.get("sequence", "")
    headers = {"if-match": f'"{sequence}"'} if sequence.isdecimal() else {}
    try:
        async with ctx.keeping(typed, secrets=secrets_of(preset)):
            await place.call(f"Update{preset.method}Provider", fields, headers=headers)
    except ServiceError as error:
        if error.kind in _FATAL:
            raise
        values = as_values(typed, preset)
        return await _form(place, preset, values, id=provider["id"], provider=provider, sequence=sequence, error=error)
    return await ctx.see_notice(place.href(provider["id"]), CHANGED, name=fields["name"])


async def load_editable(place: Place) -> tuple[Preset, Fields]:
    """Raises CONS-271 for a provider of the instance on the pages of an organization."""
    provider: Fields = (await place.call("GetProviderByID", {"idpId": place.ctx.path["idp"]}))["idp"]
    preset = preset_of(provider["config"])
    if preset is None or place.is_foreign(provider):
        raise NOT_EDITABLE.error()
    return preset, provider


async def _form(
    place: Place,
    preset: Preset,
    values: Fields,
    *,
    id: str,
    provider: Fields | None = None,
    sequence: str = "",
    error: ServiceError | None = None,
) -> Response:
    ctx = place.ctx
    frame: Frame = await load_frame(ctx)
    violations = error.violations if error else ()
    fields = fields_of(preset, values, ctx.words.gettext, violations, change=provider is not None)
    overtaken = is_overtaken(error)
    return framed(
        ctx,
        "provider_wizard/form.html",
        frame,
        place.key,
        status=error.rendering.status if error else 200,
        crumbs=_crumbs(place, provider),
        preset=preset,
        connection=fields.connection,
        people=fields.people,
        id=id,
        provider=provider,
        redirect_uri=preset.redirect_uri(ctx.issuer, id),
        problem=ctx.text_of(error) if error else "",
        left=problems_of((*fields.connection, *fields.people), violations),
        open=any(one.folded and one.problem for one in fields.connection),
        sequence=(sequence if not overtaken else "") or text(provider, "details.sequence"),
        overtaken=overtaken,
        stored_now=_stored_now(ctx, preset, provider, fields) if overtaken and provider else (),
        back=place.href(id) if provider else place.new_href,
        target=ctx.request.url.path,
    )


def _stored_now(ctx: RequestContext, preset: Preset, provider: Fields, typed: ProviderFields) -> list[Difference]:
    stored = fields_of(preset, stored_values(preset, provider), ctx.words.gettext, (), change=True)
    return differences((*typed.connection, *typed.people), (*stored.connection, *stored.people))


def _crumbs(place: Place, provider: Fields | None = None) -> list[Crumb]:
    first = [Crumb("Identity providers", place.list_href)]
    return [*first, Crumb(provider["name"], place.href(provider["id"]), named=True)] if provider else first
