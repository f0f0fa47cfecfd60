from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Final, NamedTuple

from portico_contracts.console import ACCOUNT_CLIENT, CONSOLE_CLIENT
from portico_oauth.errors import Kind, ServiceError
from portico_oauth.parameters import Parameters
from portico_web.catalogue import load_catalogue
from starlette.responses import Response

from portico_console.management.api import Fields
from portico_console.request_context import PACKAGE, RequestContext

USERS: Final = "portico.user.v2.UserService"

_FATAL: Final = frozenset({Kind.UNAVAILABLE, Kind.SERVER_ERROR, Kind.UNAUTHENTICATED})
"""Kinds of errors that no other input would fix: they have a separate page."""


SECRETS: Final = frozenset({"current", "new_password", "repeated", "credential"})
_FORM: Final = "form"

INPUTS: Final = {
    "firstName": "first_name",
    "lastName": "last_name",
    "nickName": "nick_name",
    "displayName": "display_name",
    "preferredLanguage": "language",
    "email": "email",
    "phone": "phone",
    "password": "new_password",
    "currentPassword": "current",
    "passkeyName": "name",
    "tokenName": "name",
    "verificationCode": "code",
    "code": "code",
}
"""Input by the last part of a field of the management API."""

_ONLY_INPUT: Final = {
    "email": "email",
    "phone": "phone",
    "email-code": "code",
    "phone-code": "phone-code",
    "code": "code",
}


_OWN: Final = frozenset({CONSOLE_CLIENT, ACCOUNT_CLIENT})


def shown_app(ctx: RequestContext, id: str, name: str) -> str:
    """Translates the name of Portico's own application; `id` is its id or client ID."""
    return load_catalogue(PACKAGE, ctx.language.tag).gettext(name) if name and id in _OWN else name


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
        typed = ctx.typed_before
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
            async with ctx.keeping({**typed, _FORM: form}, at=page, secrets=SECRETS):
                return await act(ctx, typed)
        except ServiceError as error:
            if error.kind in _FATAL:
                raise
            return await show(ctx, Refused(form, error, typed))

    return handle


def _wrong(refused: Refused, error: ServiceError) -> dict[str, str]:
    """Returns the errors by input: of the fields, or that of a form with one input."""
    form = refused.form
    if error.violations:
        named = [(one.field.rpartition(".")[2], one.text) for one in error.violations]
        return {_input(refused, INPUTS[name]): text for name, text in named if name in INPUTS}
    if error.kind is not Kind.INVALID_REQUEST or form not in _ONLY_INPUT:
        return {}
    return {_ONLY_INPUT[form]: error.text}


def _input(refused: Refused, name: str) -> str:
    """Returns the id of an input, of which some pages have several with the same name."""
    if refused.form in ("passkeys", "keys"):
        return f"{name}-{refused.typed.get('id', '')}"
    return _ONLY_INPUT["phone-code"] if refused.form == "phone-code" and name == "code" else name


def account_page(
    ctx: RequestContext, template: str, place: str, refused: Refused | None = None, **context: Any
) -> Response:
    """`place` is the first segment of its path, empty for the overview."""
    error = refused.error if refused else None
    problem = ctx.text_of(error) if error else ""
    wrong = _wrong(refused, error) if refused and error else {}
    return ctx.page(f"account/{template}", place=place, refused=refused, problem=problem, wrong=wrong, **context)


async def led_to(ctx: RequestContext, place: str, done: str, /, **values: str) -> Response:
    """Redirects to a place of the account page, which shows once what was done."""
    return await ctx.see_notice(f"{ctx.party.path}/{place}", done, **values)


def login_name_of(user: Fields) -> str:
    """Returns an address alone, without the domain of the organization after it."""
    name = str(user["username"])
    return name if "@" in name else str(user.get("preferredLoginName") or name)
