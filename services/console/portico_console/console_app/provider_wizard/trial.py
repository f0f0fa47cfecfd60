"""Test sign-in: the browser goes to the provider and back, and a page shows what came and what would happen."""

from __future__ import annotations

import base64
import hashlib
import json
from typing import Final
from urllib.parse import urlencode

from portico_contracts.http import CONSOLE, CONSOLE_PROVIDER_TEST
from portico_oauth.errors import ErrorCode, Kind, ServiceError
from portico_oauth.opaque import b64url, equal_in_constant_time, fingerprint
from portico_web.cookies import read_handle, set_cookie
from starlette.responses import Response

from portico_console.console_app.provider_wizard.advice import REDIRECT, advice_on
from portico_console.console_app.provider_wizard.new_provider import load_editable
from portico_console.console_app.provider_wizard.place import Place
from portico_console.console_app.rights import load_frame
from portico_console.console_app.screens.frame import Crumb, framed
from portico_console.management.api import Fields
from portico_console.request_context import RequestContext, segment

TEST_PATH: Final = CONSOLE_PROVIDER_TEST.removeprefix(CONSOLE)
SECONDS: Final = 600
"""As long as users knows a test."""

_RESULT: Final = "once"

OTHER_BROWSER = ErrorCode(
    "CONS-272",
    Kind.PERMISSION_DENIED,
    "This test sign-in was started in another browser or by another user, or its result was already shown.",
    "Start another test on the page of the identity provider, and finish it in the same browser.",
)
NO_ADDRESS = ErrorCode(
    "CONS-273",
    Kind.FAILED_PRECONDITION,
    "The address of the identity provider is not a web address.",
    "Edit the provider.",
)


async def show_test(ctx: RequestContext) -> Response:
    """The form that starts a test, and the result of one, once."""
    place = Place.of(ctx)
    ctx.require_recent(place.method("StartProviderTest"))
    user_name = (ctx.typed_before or {}).get("username", "")
    name = ctx.request.query_params.get(_RESULT, "")
    kept = await ctx.sessions.take_to_show(ctx.session, name) if name else None
    test = _fields(kept["test"]) if kept and "test" in kept else None
    return await _page(place, test, asked=bool(name), user_name=user_name)


async def start_test(ctx: RequestContext) -> Response:
    place, typed = Place.of(ctx), await ctx.read_form()
    preset, provider = await load_editable(place)
    fields: dict[str, object] = {"idpId": provider["id"]}
    if preset.by_password:
        fields["ldap"] = {"username": typed.get("username", ""), "password": typed.get("password", "")}
    try:
        async with ctx.keeping(typed, secrets={"password"}):
            begun = await place.call("StartProviderTest", fields)
    except ServiceError as error:
        return await _page(place, None, error=error, user_name=typed.get("username", ""))
    if begun["token"]:  # a directory, or a provider that cannot be used
        return await _show_once(place, provider["id"], begun["testId"], begun["token"])
    if not str(begun["authUrl"]).startswith(("https://", "http://")):
        raise NO_ADDRESS.error()
    response = ctx.page("console/provider_wizard/leave.html", frame=None, address=begun["authUrl"], provider=provider)
    pending = {"test": begun["testId"], "org": place.org_id, "idp": provider["id"], "by": _person(ctx)}
    response.headers.append("Set-Cookie", _cookie(ctx, b64url(json.dumps(pending).encode()), SECONDS))
    return response


async def finish_test(ctx: RequestContext) -> Response:
    """Where the provider's answer arrives: only in the browser and for the user that started the test."""
    query, pending = ctx.request.query_params, _pending(ctx)
    if pending is None or not equal_in_constant_time(pending["test"], query.get("id", "")):
        raise OTHER_BROWSER.error()
    place = Place(ctx, pending["org"])
    response = await _show_once(place, pending["idp"], pending["test"], query.get("token", ""))
    response.headers.append("Set-Cookie", _cookie(ctx, "", 0))
    return response


async def _show_once(place: Place, id: str, test_id: str, token: str) -> Response:
    ctx = place.ctx
    test = await place.call("GetProviderTest", {"idpId": id, "testId": test_id, "token": token})
    name = await ctx.sessions.keep_to_show(ctx.session, {"test": test})
    return ctx.see(f"{place.href(id)}/test?{urlencode({_RESULT: name})}")


async def _page(
    place: Place, test: Fields | None, *, asked: bool = False, error: ServiceError | None = None, user_name: str = ""
) -> Response:
    ctx, advice = place.ctx, advice_on(test) if test else ""
    preset, provider = await load_editable(place)
    return framed(
        ctx,
        "provider_wizard/test.html",
        await load_frame(ctx),
        place.key,
        status=error.rendering.status if error else 200,
        crumbs=[
            Crumb("Identity providers", place.list_href),
            Crumb(provider["name"], place.href(provider["id"]), named=True),
        ],
        base=place.href(provider["id"]),
        preset=preset,
        provider=provider,
        redirect_uri=preset.redirect_uri(ctx.issuer, provider["id"]),
        test=test,
        advice=advice,
        redirect_differs=advice == REDIRECT,
        asked=asked,
        problem=ctx.text_of(error) if error else "",
        user_name=user_name,
        user_href=f"{place.base}/users/{segment(test['userId'])}" if test and test["userId"] and place.org_id else "",
    )


def _fields(found: object) -> Fields:
    read: Fields = json.loads(json.dumps(found), object_hook=Fields)
    return read


def _person(ctx: RequestContext) -> str:
    return fingerprint(ctx.session.sub)


def _pending(ctx: RequestContext) -> dict[str, str] | None:
    value = read_handle(ctx.request.headers.get("cookie"), _cookie_name(ctx))
    try:
        pending = json.loads(base64.urlsafe_b64decode(value + "=" * (-len(value) % 4)))
        found = {name: str(pending[name]) for name in ("test", "org", "idp", "by")}
        is_own = equal_in_constant_time(found["by"], _person(ctx))
    except (ValueError, KeyError, TypeError, RecursionError):
        return None
    return found if is_own else None


def _cookie_name(ctx: RequestContext) -> str:
    """Returns the name, which ends like that of the session cookie, because cookies ignore ports."""
    origin = ctx.party.origin
    prefix = "__Host-" if origin.startswith("https://") else ""
    return f"{prefix}portico-provider-test-{hashlib.sha256(origin.encode()).hexdigest()[:8]}"


def _cookie(ctx: RequestContext, value: str, max_age: int) -> str:
    return set_cookie(_cookie_name(ctx), value, secure=ctx.party.origin.startswith("https://"), max_age=max_age)
