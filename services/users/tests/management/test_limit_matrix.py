"""The limits of the specification, checked in every protocol (MG-14, MG-15). Run with ``-s`` to see the matrix."""

from __future__ import annotations

import itertools
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from portico_fakes.management_api import ApiResponse, call_as, in_path, message_of
from portico_users_rows.limit_rows import LIMIT_ROWS, LimitRow, Subject

pytestmark = pytest.mark.servers


LETTERS = itertools.count(0x20000)
"""Ideographs of four bytes in UTF-8; each builds different names."""


async def _by_json(managed: Any, name: str, members: dict[str, Any]) -> ApiResponse:
    path, left = in_path(name, members)
    return await call_as(managed, name, left, path=path)


async def _by_connect(managed: Any, name: str, members: dict[str, Any]) -> ApiResponse:
    response: ApiResponse = await managed.api.connect(name, message_of(name, members), token=managed.tokens["owner"])
    return response


async def _by_grpc_web(managed: Any, name: str, members: dict[str, Any]) -> ApiResponse:
    response: ApiResponse = await managed.api.grpc_web(name, message_of(name, members), token=managed.tokens["owner"])
    return response


SchemaVersion = Callable[[Any, str, dict[str, Any]], Awaitable[ApiResponse]]
FORMS = pytest.mark.parametrize("form", [_by_json, _by_connect, _by_grpc_web], ids=["json", "proto", "grpc-web"])


def _subject(managed: Any, row: LimitRow) -> Subject:
    letter = chr(next(LETTERS))
    idp_id = f"own-jwt-owner-{managed.tag}"
    return Subject(letter, idp_id, f"self-{managed.tag}")


@FORMS
async def test_limits_of_the_specification(managed: Any, form: SchemaVersion) -> None:
    """Values of length 0, 1, the maximum and one more are tried; errors have the field and change nothing."""
    await managed.furnish("owner")
    wrong = {row.field: found for row in LIMIT_ROWS if (found := await _unexpected(managed, row, form))}

    assert wrong == {}


async def _unexpected(managed: Any, row: LimitRow, form: SchemaVersion) -> Any:
    events = managed.users.parts.mongo.database["events"]
    before = await events.count_documents({})
    responses, taken = {}, 0
    for length in row.tried:
        response = await form(managed, row.operation, row.members(_subject(managed, row), length))
        responses[length] = response
        taken += response.code == 0
    after = await events.count_documents({})
    cells = (f"{length}: {response.code} {response.error_code:9}" for length, response in responses.items())
    print(f"\n{row.field:34}", *cells)  # noqa: T201 - the matrix is to be read

    if after != before + taken:
        return f"{after - before} events of {taken} successful calls"
    return {length: response for length, response in responses.items() if not row.is_as_it_should_be(response, length)}
