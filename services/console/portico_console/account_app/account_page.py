from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Final, NamedTuple

from portico_oauth.errors import Kind, ServiceError
from portico_oauth.parameters import Parameters
from starlette.responses import Response

from portico_console.management.api import Fields
from portico_console.request_context import RequestContext

USERS: Final = "portico.user.v2.UserService"

_FATAL: Final = frozenset({Kind.UNAVAILABLE, Kind.SERVER_ERROR, Kind.UNAUTHENTICATED})
"""Kinds of errors that no other input would fix: they have a separate page."""


_SECRETS: Final = frozenset({"current", "new_password", "repeated", "credential"})
_FORM: Final = "form"


class Refused(NamedTuple):
    """A form that is shown again, after an error or after the user has signed in again; `typed` is the input."""

    form: str
    error: ServiceError | None
    typed: Mapping[str, str]


Show = Callable[[RequestContext, Refused | None], Awaitable[Response]]
Act = Callable[[RequestContext, Parameters], Awaitable[Response]]


async def get_user(ctx: RequestContext) -> Fields:
    found = await ctx.api.call(f"{USERS}/GetUserByID", {"userId": ctx.session.sub})
    user: Fields = found["user"]
    return user


async def change(ctx: RequestContext, method: str, **fields: Any) -> Fields:
    return await ctx.api.call(f"{USERS}/{method}", {"userId": ctx.session.sub, **fields})


def showing(show: Show) -> Callable[[RequestContext], Awaitable[Response]]:
    async def handle(ctx: RequestContext) -> Response:
        typed = await ctx.typed_before()
        return await show(ctx, Refused(typed.get(_FORM, ""), None, typed) if typed else None)

    return handle


def acting(form: str, show: Show, act: Act, *, at: str = "") -> Callable[[RequestContext], Awaitable[Response]]:
    """Returns the handler of a form: errors are shown on its page together with the input; `act` redirects.

    `at` is the place of that page, where it is not the URL of the form.
    """

    async def handle(ctx: RequestContext) -> Response:
        typed = await ctx.read_form()
        try:
            page = f"{ctx.party.path}/{at}" if at else ""
            async with ctx.keeping({**typed, _FORM: form}, at=page, secrets=_SECRETS):
                return await act(ctx, typed)
        except ServiceError as error:
            if error.kind in _FATAL:
                raise
            return await show(ctx, Refused(form, error, typed))

    return handle


def account_page(
    ctx: RequestContext, template: str, place: str, refused: Refused | None = None, **context: Any
) -> Response:
    """`place` is the first segment of its path, empty for the overview."""
    problem = ctx.text_of(refused.error) if refused and refused.error else ""
    return ctx.page(f"account/{template}", place=place, refused=refused, problem=problem, **context)


async def led_to(ctx: RequestContext, place: str, done: str, **values: str) -> Response:
    """Redirects to a place of the account page, which shows once what was done."""
    return await ctx.see_notice(f"{ctx.party.path}/{place}", done, **values)
