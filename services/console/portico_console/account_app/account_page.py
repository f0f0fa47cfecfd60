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
"""Kinds of errors that no other input would fix: they have a separate page."""


class Refused(NamedTuple):
    """A form that is shown again after an error; `typed` is the input, without passwords."""

    form: str
    error: ServiceError
    typed: Parameters


Show = Callable[[Visit, Refused | None], Awaitable[Response]]
Act = Callable[[Visit, Parameters], Awaitable[Response]]


async def get_user(visit: Visit) -> Fields:
    found = await visit.api.call(f"{USERS}/GetUserByID", {"userId": visit.session.sub})
    user: Fields = found["user"]
    return user


async def change(visit: Visit, method: str, **fields: Any) -> Fields:
    return await visit.api.call(f"{USERS}/{method}", {"userId": visit.session.sub, **fields})


def showing(show: Show) -> Callable[[Visit], Awaitable[Response]]:
    async def handle(visit: Visit) -> Response:
        return await show(visit, None)

    return handle


def acting(form: str, show: Show, act: Act) -> Callable[[Visit], Awaitable[Response]]:
    """Returns the handler of a form: errors are shown on its page together with the input; `act` redirects."""

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
    """`place` is the first segment of its path, empty for the overview."""
    problem = visit.text_of(refused.error) if refused else ""
    done = visit.request.query_params.get("done", "") if refused is None else ""
    return visit.page(f"account/{template}", place=place, refused=refused, done=done, problem=problem, **context)


def led_to(visit: Visit, place: str, done: str = "") -> Response:
    return visit.see(f"{visit.party.path}/{place}" + (f"?done={done}" if done else ""))
