"""What a token hook may answer (decision 0149)."""

from __future__ import annotations

import json
from typing import Any

import pytest
from portico_contracts.users import MOST_HOOK_BYTES, MOST_HOOK_CLAIMS, ClaimPlace, HookFailure, read_hook_answer


@pytest.mark.parametrize(
    ("answer", "claims"),
    [
        ({}, {}),
        ({"id_token": {}}, {}),
        (
            {"id_token": {"tenant": "t1", "old": None}, "userinfo": {"teams": ["a"], "n": 9007199254740991}},
            {ClaimPlace.ID_TOKEN: {"tenant": "t1"}, ClaimPlace.USERINFO: {"teams": ["a"], "n": 9007199254740991}},
        ),
        ({"introspection": {"o": {"a": [True]}}}, {ClaimPlace.INTROSPECTION: {"o": {"a": [True]}}}),
    ],
)
def test_claims_are_read_by_place(answer: dict[str, Any], claims: dict[ClaimPlace, Any]) -> None:
    """Values keep their types, and null is no claim."""
    assert read_hook_answer(json.dumps(answer).encode(), ()) == claims


@pytest.mark.parametrize(
    ("body", "failure"),
    [
        (b"", HookFailure.MALFORMED),
        (b"[]", HookFailure.MALFORMED),
        (b"null", HookFailure.MALFORMED),
        (b'{"id_token": "x"}', HookFailure.MALFORMED),
        (b'{"claims": {"tenant": "x"}}', HookFailure.MALFORMED),
        (b'{"id_token": {"n": 9007199254740992}}', HookFailure.MALFORMED),
        (b'{"id_token": {"n": 1e999}}', HookFailure.MALFORMED),
        (b'{"id_token": {"n": ' + b"[" * 2000 + b"]" * 2000 + b"}}", HookFailure.MALFORMED),
        (b'{"id_token": {"n": ' + b"[" * 101 + b"]" * 101 + b"}}", HookFailure.MALFORMED),
        (b'{"id_token": {"n": "\xff"}}', HookFailure.MALFORMED),
        (b'{"id_token": {"n": "' + b"x" * MOST_HOOK_BYTES + b'"}}', HookFailure.TOO_LARGE),
        (json.dumps({"userinfo": {f"c{n}": n for n in range(MOST_HOOK_CLAIMS + 1)}}).encode(), HookFailure.TOO_LARGE),
    ],
)
def test_answer_that_cannot_be_taken_as_a_whole_gives_nothing(body: bytes, failure: HookFailure) -> None:
    assert read_hook_answer(body, ()) is failure


@pytest.mark.parametrize(
    "name",
    [
        "sub", "Sub", "iss", "aud", "exp", "acr", "amr", "scope", "client_id", "cnf", "act", "active", "email",
        "preferred_username", "roles", "groups", "urn:portico:project:roles", "urn:zitadel:iam:org", "teams", "", "a b",
    ],
)  # fmt: skip
@pytest.mark.parametrize("place", list(ClaimPlace))
def test_reserved_name_in_any_place_spoils_the_answer(name: str, place: ClaimPlace) -> None:
    """Also one that the application uses for its roles or groups (JW-20)."""
    body = json.dumps({place.value: {name: "x", "tenant": "t"}}).encode()

    assert read_hook_answer(body, ("", "teams")) is HookFailure.RESERVED
