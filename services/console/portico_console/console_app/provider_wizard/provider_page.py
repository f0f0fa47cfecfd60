"""The page of a provider: its state, its redirect URI, its button on the sign-in page, and its users."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import Final

from portico_oauth.errors import Kind, ServiceError
from starlette.responses import Response

from portico_console.console_app.provider_wizard.place import OF_INSTANCE, Place
from portico_console.console_app.provider_wizard.presets import preset_of
from portico_console.console_app.rights import Frame, load_frame
from portico_console.console_app.screens.choices import offered
from portico_console.console_app.screens.frame import Crumb, framed
from portico_console.console_app.screens.requests import STATES, cell
from portico_console.console_app.screens.table import BY_KEY
from portico_console.console_app.screens.tables import assertions
from portico_console.management.api import Fields
from portico_console.messages import message
from portico_console.request_context import RequestContext

_LOGIN: Final = "PolicyService/GetLoginPolicy"
_OFFER: Final = "PolicyService/AddIDPToLoginPolicy"
_WITHDRAW: Final = "PolicyService/RemoveIDPFromLoginPolicy"
_USAGE: Final = "GetProviderUsage"

SHOWN: Final = message("%(name)s is now on the sign-in page.")
HIDDEN: Final = message("%(name)s is no longer on the sign-in page.")


@dataclass(frozen=True, slots=True)
class Button:
    """The button on the sign-in page.

    Attributes:
        inherited: it is there by the policy of the instance.
        replaces: buttons of the instance that this one would replace for the organization.
        disabled: the policy shows no provider at all.
    """

    shown: bool = False
    inherited: bool = False
    replaces: tuple[str, ...] = ()
    disabled: bool = False
    changeable: bool = False


async def show_provider(ctx: RequestContext) -> Response:
    return await render_provider(ctx)


async def set_button(ctx: RequestContext) -> Response:
    """Shows or hides the button; the first button of an organization overrides the instance's list."""
    place, typed = Place.of(ctx), await ctx.read_form()
    id, show = ctx.path["idp"], "show" in typed
    provider = (await place.call("GetProviderByID", {"idpId": id}))["idp"]
    try:
        async with ctx.keeping(typed, at=place.href(id)):
            await place.call(_OFFER if show else _WITHDRAW, {"idpId": id})
    except ServiceError as error:
        if error.kind in (Kind.UNAVAILABLE, Kind.SERVER_ERROR, Kind.UNAUTHENTICATED):
            raise
        return await render_provider(ctx, error=error)
    return await ctx.see_notice(place.href(id), SHOWN if show else HIDDEN, name=provider["name"])


async def show_button(ctx: RequestContext) -> Response:
    """Where a sign-in returns to, after which the form is to be sent again."""
    return ctx.see(Place.of(ctx).href(ctx.path["idp"]))


async def render_provider(ctx: RequestContext, *, error: ServiceError | None = None) -> Response:
    place, frame = Place.of(ctx), await load_frame(ctx)
    id = ctx.path["idp"]
    async with asyncio.TaskGroup() as group:
        reading = group.create_task(place.call("GetProviderByID", {"idpId": id}))
        policy = group.create_task(_policy(place, frame))
        usage = group.create_task(_usage(place, id))
    read = reading.result()
    provider: Fields = read["idp"]
    preset, foreign = preset_of(provider["config"]), place.is_foreign(provider)
    screen = BY_KEY[place.key]
    may_change = not foreign and preset is not None and place.may(frame, "StartProviderTest")
    return framed(
        ctx,
        "provider_wizard/provider.html",
        frame,
        place.key,
        status=error.rendering.status if error else 200,
        crumbs=[Crumb("Identity providers", place.list_href)],
        provider=provider,
        preset=preset,
        state=_state(provider),
        redirect_uri=preset.redirect_uri(ctx.issuer, id) if preset else "",
        facts=[cell(provider, column) for column in screen.facts if column.path != "state"],
        button=_button(place, frame, provider, policy.result()),
        usage=usage.result(),
        last_test=read["lastTest"],
        foreign=foreign,
        may_change=may_change,
        accepts=bool(place.org_id) and not foreign and "oidc" in provider["config"] and frame.may_call(assertions.GET),
        others=[] if foreign else sorted(offered(frame, screen, provider), key=lambda one: bool(one.loses)),
        base=place.href(id),
        problem=ctx.text_of(error) if error else "",
    )


def _state(provider: Fields) -> tuple[str, str]:
    return STATES["INACTIVE" if str(provider["state"]).endswith("_INACTIVE") else "ACTIVE"]


async def _policy(place: Place, frame: Frame) -> Fields | None:
    if not place.may(frame, _LOGIN):
        return None
    policy: Fields = (await place.call(_LOGIN))["policy"]
    return policy


async def _usage(place: Place, id: str) -> Fields | None:
    """None for a provider of the instance, whose users an organization does not see."""
    try:
        return await place.call(_USAGE, {"idpId": id})
    except ServiceError as error:
        if error.kind not in (Kind.NOT_FOUND, Kind.PERMISSION_DENIED):
            raise
        return None


def _button(place: Place, frame: Frame, provider: Fields, policy: Fields | None) -> Button | None:
    if policy is None:
        return None
    links = policy.get("idps", [])
    shown = any(one["idpId"] == provider["id"] for one in links)
    inherits = bool(place.org_id) and bool(policy["isDefault"])
    others = tuple(one["idpName"] for one in links if inherits and one["ownerType"] == OF_INSTANCE)
    return Button(
        shown=shown,
        inherited=shown and inherits,
        replaces=() if shown else others,
        disabled=not policy["allowExternalIdp"],
        changeable=place.may(frame, _OFFER) and not (shown and inherits),
    )
