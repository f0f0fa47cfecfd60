"""What the pages of the account share: the places one can go to, the person, and what happened to a form."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, Final, NamedTuple

from portico_oauth.errors import Kind, ServiceError
from portico_oauth.parameters import Parameters
from starlette.responses import Response

from portico_console.management.api import Fields
from portico_console.visit import Visit

USERS: Final = "portico.user.v2.UserService"

_FATAL: Final = frozenset({Kind.UNAVAILABLE, Kind.SERVER_ERROR, Kind.UNAUTHENTICATED})
"""Kinds of errors that no other value of a field helps against: they have a page of their own."""


class Refused(NamedTuple):
    """A form that was refused, shown again.

    Attributes:
        form: its name on the page.
        error: what was wrong.
        typed: what was typed; never a password.
    """

    form: str
    error: ServiceError
    typed: Parameters


Show = Callable[[Visit, Refused | None], Awaitable[Response]]
Act = Callable[[Visit, Parameters], Awaitable[Response]]


async def get_user(visit: Visit) -> Fields:
    """The person, as the management API shows people to themselves."""
    found = await visit.api.call(f"{USERS}/GetUserByID", {"userId": visit.session.sub})
    user: Fields = found["user"]
    return user


async def change(visit: Visit, method: str, **fields: Any) -> Fields:
    """Calls a method of the user service about the person."""
    return await visit.api.call(f"{USERS}/{method}", {"userId": visit.session.sub, **fields})


def showing(show: Show) -> Callable[[Visit], Awaitable[Response]]:
    """The handler that shows a page."""

    async def handle(visit: Visit) -> Response:
        return await show(visit, None)

    return handle


def acting(form: str, show: Show, act: Act) -> Callable[[Visit], Awaitable[Response]]:
    """The handler of a form: what refuses it is shown on its page, beside what was typed.

    Args:
        form: its name on the page.
        show: shows that page.
        act: does what the form wants, and leads on.
    """

    async def handle(visit: Visit) -> Response:
        typed = await visit.read_form()
        try:
            return await act(visit, typed)
        except ServiceError as error:
            if error.kind in _FATAL:
                raise
            return await show(visit, Refused(form, error, typed))

    return handle


def account_page(visit: Visit, template: str, place: str, refused: Refused | None = None, **context: Any) -> Response:
    """A page of the account.

    Args:
        place: the first part of its address, empty for the overview.
        refused: the form that was refused on it.
        context: the variables of its template.
    """
    problem = visit.text_of(refused.error) if refused else ""
    done = visit.request.query_params.get("done", "") if refused is None else ""
    return visit.page(f"account/{template}", place=place, refused=refused, done=done, problem=problem, **context)


def led_to(visit: Visit, place: str, done: str = "") -> Response:
    """After a form: a page of the account, with a word for what was done."""
    return visit.see(f"{visit.party.path}/{place}" + (f"?done={done}" if done else ""))
