"""Claims of assertions (RFC 7523 §3), with the same rules for both uses."""

from __future__ import annotations

import json
from collections.abc import Callable
from itertools import product
from typing import Any, Final

from portico_fakes.assertion_uses import KEY, AssertionUse
from portico_fakes.token_service import ISSUER
from portico_harness.rows import row

TOKEN_URL = f"{ISSUER}/oauth/v2/token"


RIGHT_AUDIENCES: list[str | list[str]] = [
    ISSUER,
    TOKEN_URL,
    [ISSUER],
    [TOKEN_URL],
    [ISSUER, TOKEN_URL],
    [TOKEN_URL, ISSUER],
    [ISSUER, ISSUER],
    [ISSUER, TOKEN_URL, ISSUER, TOKEN_URL],
]


async def test_audience_is_the_issuer_or_the_endpoint(assertion_use: AssertionUse) -> None:
    """The audience is one value, or an array of at most four that are each acceptable (JW-09, decision 0027)."""
    for aud in RIGHT_AUDIENCES:
        with row(aud):
            assert await assertion_use.accepts(assertion_use.signed(aud=aud))


WRONG_AUDIENCES: Final[tuple[Any, ...]] = (
    f"{ISSUER}/oauth/v2/introspect",
    f"{ISSUER}/",
    f"{TOKEN_URL}/",
    f"{TOKEN_URL}?",
    ISSUER.upper(),
    "https://other.test",
    [ISSUER, "https://other.test"],
    ["https://other.test", ISSUER],
    [ISSUER, f"{ISSUER}/oauth/v2/introspect"],
    [ISSUER, f"{ISSUER}/"],
    [ISSUER] * 5,
    [ISSUER, ""],
    [ISSUER, None],
    [ISSUER, 7],
    [ISSUER, [ISSUER]],
    [[ISSUER]],
    {"0": ISSUER},
    [],
    "",
    [""],
    None,
    7,
    True,
    ...,
)


async def test_wrong_audience_is_refused(assertion_use: AssertionUse) -> None:
    """Another endpoint's URL, a foreign issuer or member, more than four, none and a wrong type are refused (JW-09)."""
    accepted = [aud for aud in WRONG_AUDIENCES if await assertion_use.accepts(assertion_use.signed(aud=aud))]

    assert accepted == []


CHANGES: list[Callable[[str], Any]] = [str.upper, lambda s: s + "/", lambda s: s[:-1], lambda s: "x" + s, lambda s: [s]]


async def test_issuer_and_subject_are_the_client(assertion_use: AssertionUse) -> None:
    """Both are compared exactly, and a different value names no client or another one (JW-06, JW-12)."""
    for name, make in product(("iss", "sub"), CHANGES):
        changed = make(assertion_use.subject)
        with row(name, changed):
            assert not await assertion_use.accepts(assertion_use.signed(**{name: changed}))


NO_STRINGS: list[Any] = [None, 7, True, "", {}, ...]


async def test_issuer_and_subject_are_strings(assertion_use: AssertionUse) -> None:
    """Both claims are required and must be strings (JW-12)."""
    for value, name in product(NO_STRINGS, ("iss", "sub")):
        with row(value, name):
            assert not await assertion_use.accepts(assertion_use.signed(**{name: value}))


async def test_assertion_of_another_client_is_refused(assertion_use: AssertionUse) -> None:
    """A key registered by two clients does not let one authenticate as the other (JW-06)."""
    other = "signer" if assertion_use.subject == "robot" else "robot"

    assert not await assertion_use.accepts(assertion_use.signed(iss=other, sub=other))
    assert not await assertion_use.accepts(assertion_use.signed(sub=other))


async def test_times_are_integers(assertion_use: AssertionUse) -> None:
    """No other JSON type is accepted, and only nbf and iat may be omitted (JW-12)."""
    values = (None, True, False, "", "1790000030", 1_790_000_030.5, -1, 1e308, [1_790_000_030], ...)
    accepted = [
        (name, value)
        for name, value in product(("exp", "iat", "nbf"), values)
        if await assertion_use.accepts(assertion_use.signed(**{name: value}))
    ]

    assert accepted == [("iat", ...), ("nbf", ...)]


async def test_non_finite_and_huge_times_are_refused(assertion_use: AssertionUse) -> None:
    """A time that is not a number, or too large, also for a float, is refused (JW-12)."""
    accepted = []
    values = ("NaN", "Infinity", "-Infinity", "1e400", "1790000030.0", "9" * 310, "9" * 5_000)
    for name, value in product(("exp", "iat", "nbf"), values):
        payload = json.dumps(assertion_use.claims(**{name: "@"})).replace('"@"', value)
        accepted += [(name, value)] if await assertion_use.accepts(KEY.sign(payload.encode())) else []

    assert accepted == []


PERIODS: list[tuple[dict[str, int], bool]] = [
    ({"exp": 1}, True),
    ({"exp": 0}, False),
    ({"exp": -1}, False),
    ({"exp": -600}, False),
    ({"exp": 3_600}, True),
    ({"exp": 3_601}, False),
    ({"exp": 2_900, "iat": -701}, False),
    ({"iat": 8}, True),
    ({"iat": 10}, True),
    ({"iat": 11}, False),
    ({"iat": 70}, False),
    ({"iat": -3_540}, True),
    ({"iat": -3_600, "exp": 0}, False),
    ({"iat": -3_601, "exp": 1}, False),
    ({"nbf": 8}, True),
    ({"nbf": 10}, True),
    ({"nbf": 11}, False),
    ({"nbf": -3_000}, True),
    ({"iat": 10, "exp": 3_610}, True),
]


async def test_validity_period_of_an_assertion(assertion_use: AssertionUse) -> None:
    """The assertion must not have expired, lives an hour at most, and may come from a clock ten seconds ahead
    (JW-12, conformance 3.3).
    """
    for changes, good in PERIODS:
        with row(changes, good):
            now = int(assertion_use.service.clock.now())

            changed = {name: now + seconds for name, seconds in changes.items()}
            assert await assertion_use.accepts(assertion_use.signed(**changed)) is good


EXPIRIES: list[tuple[int, bool]] = [(0, False), (1, True), (3_600, True), (3_610, True), (3_611, False)]


async def test_without_iat_it_expires_within_an_hour(assertion_use: AssertionUse) -> None:
    for expires, good in EXPIRIES:
        with row(expires, good):
            now = int(assertion_use.service.clock.now())

            assert await assertion_use.accepts(assertion_use.signed(iat=..., exp=now + expires)) is good
