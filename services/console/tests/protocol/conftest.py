from __future__ import annotations

from collections.abc import AsyncIterator

import httpx
import pytest
from portico_fakes.clock import FrozenClock
from portico_fakes.console_service import SUBJECT, ConsoleService

GET_USER = "portico.user.v2.UserService/GetUserByID"


@pytest.fixture
def clock() -> FrozenClock:
    return FrozenClock()


@pytest.fixture
def console(clock: FrozenClock) -> ConsoleService:
    service = ConsoleService(clock)
    user = {"userId": SUBJECT, "username": "ada", "human": {"profile": {"givenName": "Ada"}}}
    service.provider.answers[GET_USER] = lambda _fields, _request: httpx.Response(200, json={"user": user})
    return service


@pytest.fixture
async def browser(console: ConsoleService) -> AsyncIterator[httpx.AsyncClient]:
    async with console.browser() as client:
        yield client
