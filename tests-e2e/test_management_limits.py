"""The specification's length limits through the gateway, by JSON and by grpcio (MG-14, MG-15).

Run with ``-s`` to see the matrix.
"""

from __future__ import annotations

import itertools
import secrets
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from portico_fakes.management_api import ApiResponse, in_path, message_of
from portico_scenarios.administrator import Administrator
from portico_scenarios.participants import ALICE
from portico_users_rows.limit_rows import LIMIT_ROWS, Subject

pytestmark = pytest.mark.e2e

LETTERS = itertools.count(0x20000)
"""Ideographs, each of four bytes in UTF-8, so that names are unique."""

ADD_IDP = "portico.management.v1.IDPService.AddOrgJWTIDP"

Call = Callable[[str, dict[str, Any]], Awaitable[ApiResponse]]


async def _errors(admin: Administrator, call: Call) -> dict[str, dict[int, str]]:
    """Returns the wrong responses at every length of every row."""
    address = "https://idp.example"
    members = {"name": secrets.token_hex(6), "jwtEndpoint": address, "issuer": address, "keysEndpoint": address}
    idp_id = (await admin.json(ADD_IDP, members)).body["idpId"]
    wrong: dict[str, dict[int, str]] = {}
    for row in LIMIT_ROWS:
        heard = {}
        for length in row.tried:
            subject = Subject(chr(next(LETTERS)), idp_id, ALICE.id)
            response = await call(row.operation, row.members(subject, length))
            heard[length] = f"{response.code} {response.error_code}"
            if not row.is_as_it_should_be(response, length):
                wrong.setdefault(row.field, {})[length] = f"{response.code} {response.body}"
        print(f"{row.field:34}", *(f"{length}: {what:11}" for length, what in heard.items()))  # noqa: T201 - the matrix is to be read
    return wrong


@pytest.mark.long
async def test_limits_by_json(admin: Administrator) -> None:
    """Limits hold at lengths 0, 1, maximum and maximum + 1, counted in code points beyond the basic plane."""

    async def call(name: str, members: dict[str, Any]) -> ApiResponse:
        path, left = in_path(name, members)
        return await admin.json(name, left, path=path)

    assert await _errors(admin, call) == {}


async def test_limits_by_grpc(admin: Administrator) -> None:
    """The same lengths give the same codes by a third-party client over HTTP/2."""
    async with admin.channel() as channel:

        async def call(name: str, members: dict[str, Any]) -> ApiResponse:
            return await admin.by(channel, name, message_of(name, members))

        assert await _errors(admin, call) == {}
