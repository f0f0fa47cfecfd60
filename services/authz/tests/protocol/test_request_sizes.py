"""Records stored before authentication have a limited size (decision 0127)."""

from __future__ import annotations

import msgspec
import pytest
from portico_contracts import http
from portico_fakes.authz_service import AuthzService, Landing, authorize_parameters
from portico_fakes.clock import FrozenClock
from portico_fakes.memory_authz import MemoryAuthRequests, MemoryRecords
from portico_fakes.memory_bus import MemoryBus

MAX_STORED = 12 * 1_024
CLAIMS = '{"userinfo":{"' + "x" * 3_900 + '":null}}'

TOO_LONG: dict[str, dict[str, str]] = {
    "state": {"state": "x" * 4_097},
    "state in bytes": {"state": "\u00fc" * 2_049},
    "nonce": {"nonce": "n" * 1_025},
    "state as it is stored": {"state": "\x01" * 2_000},
    "all together": {"state": "x" * 4_096, "nonce": "n" * 1_024, "acr_values": "x" * 4_000, "claims": CLAIMS},
}

AS_LONG_AS_THEY_MAY: dict[str, dict[str, str]] = {
    "state": {"state": "x" * 4_096},
    "state and nonce and claims": {"state": "x" * 4_096, "nonce": "n" * 1_024, "claims": CLAIMS},
    "hints": {"login_hint": "\x01" * 200, "ui_locales": "de " * 60, "state": "x" * 4_000},
    "hints without effect": {"login_hint": "l" * 9_000, "ui_locales": "u" * 9_000, "display": "d" * 9_000},
    "claims_locales": {"claims_locales": "c" * 20_000},
}


@pytest.fixture
def authz(clock: FrozenClock, bus: MemoryBus) -> AuthzService:
    return AuthzService(clock, bus)


async def test_too_long_parameters_are_refused(authz: AuthzService) -> None:
    """By GET and POST, the error is invalid_request with the state, and nothing is stored."""
    wrong = {}
    for name, changes in TOO_LONG.items():
        browser = authz.browser()
        got = Landing(await browser.authorize(**changes)).query
        posted = Landing(await browser.post(http.AUTHORIZE, authorize_parameters(**changes))).query
        if [one.get("error") for one in (got, posted)] != ["invalid_request"] * 2 or got["state"] != posted["state"]:
            wrong[name] = (got, posted)

    assert wrong == {}
    assert isinstance(authz.stores.requests, MemoryAuthRequests)
    assert isinstance(authz.stores.posted_requests, MemoryRecords)
    assert len(authz.stores.requests.records) + len(authz.stores.posted_requests.records) == 0


async def test_stored_request_has_at_most_12_kib(authz: AuthzService) -> None:
    """Ignored hints are not stored and do not count."""
    sizes = {}
    for name, changes in AS_LONG_AS_THEY_MAY.items():
        stored = await authz.stores.requests.find(await authz.browser().begin(**changes))
        sizes[name] = len(msgspec.json.encode(stored))

    assert {name: size for name, size in sizes.items() if size > MAX_STORED} == {}


async def test_long_logout_state_gets_a_page(authz: AuthzService) -> None:
    """A state of 4096 bytes is accepted, by GET and POST."""
    browser = authz.browser()
    answers = [
        await browser.end_session(state="x" * 4_097),
        await browser.post(http.END_SESSION, {"state": "\u00fc" * 2_049}),
        await browser.end_session(state="x" * 4_096),
    ]

    assert [answer.status_code for answer in answers] == [400, 400, 302]


async def test_request_counts_for_the_clients_address(clock: FrozenClock, bus: MemoryBus) -> None:
    """The address comes from the trusted proxy and is not stored (HH-03)."""
    authz = AuthzService(clock, bus, trusted_proxies="127.0.0.1/32")
    browser = authz.browser()
    addresses = []
    for forwarded in ("203.0.113.7", "203.0.113.7", "203.0.113.8"):
        browser.http.headers["X-Forwarded-For"] = forwarded
        stored = await authz.stores.requests.find(await browser.begin())
        addresses.append(stored.client_address if stored else "")

    assert addresses[0] == addresses[1] != addresses[2]
    assert "" not in addresses
    assert "203.0.113" not in "".join(addresses)
