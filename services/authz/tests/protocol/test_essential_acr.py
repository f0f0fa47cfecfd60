"""Tests of essential acr values (OIDC Core §5.5.1.1)."""

from __future__ import annotations

import json
from typing import Any

import pytest
from portico_contracts.authz import REDEEM_CODE, CodeGrant, RedeemCode
from portico_contracts.step_names import StepName
from portico_contracts.users import Factor
from portico_fakes.authz_factors import KEY_OF, signed
from portico_fakes.authz_service import ADA, CALLBACK, AuthzService, FakeBrowser, Landing
from portico_fakes.clock import FrozenClock
from portico_fakes.memory_bus import MemoryBus
from portico_oauth.assurance import ACR_MULTI_FACTOR, ACR_PASSWORD, ACR_PHISHING_RESISTANT, ACR_PHR, ACR_PHRH

UNMET = "unmet_authentication_requirements"


@pytest.fixture
def authz(clock: FrozenClock, bus: MemoryBus) -> AuthzService:
    return AuthzService(clock, bus)


@pytest.fixture
def browser(authz: AuthzService) -> FakeBrowser:
    return authz.browser()


def claims(*values: object, essential: bool = True) -> str:
    asked = (
        {"essential": essential, "values": list(values)}
        if len(values) > 1
        else {
            "essential": essential,
            "value": values[0],
        }
    )
    return json.dumps({"id_token": {"acr": asked}})


async def grant_of(authz: AuthzService, landing: Landing) -> CodeGrant:
    question = RedeemCode(code=landing.query["code"], client_id="web", redirect_uri=CALLBACK)
    grant = (await authz.bus.call(REDEEM_CODE, question)).grant
    assert grant is not None
    return grant


async def acr_of(authz: AuthzService, landing: Landing) -> str:
    return (await grant_of(authz, landing)).acr


async def use_key(browser: FakeBrowser, id: str, shown: Any) -> Landing:
    done = await browser.answer(id, shown, credential=signed(shown.options, KEY_OF[ADA.user_id]))
    return Landing(await browser.get(done.continue_to))


async def test_essential_acr_without_the_factor_is_refused(authz: AuthzService, browser: FakeBrowser) -> None:
    """An essential acr forces no enrolment, and a voluntary one gets the reached level."""
    refused = await browser.sign_in(claims=claims(ACR_MULTI_FACTOR))
    voluntary = Landing(await browser.authorize(claims=claims(ACR_MULTI_FACTOR, essential=False)))
    silent = Landing(await browser.authorize(claims=claims(ACR_MULTI_FACTOR), prompt="none"))

    assert refused.query["error"] == silent.query["error"] == UNMET
    assert await acr_of(authz, voluntary) == ACR_PASSWORD


async def test_weaker_session_needs_another_factor(
    authz: AuthzService, browser: FakeBrowser, clock: FrozenClock
) -> None:
    """A silent request gets interaction_required, and a weaker factor chosen afterwards fails it."""
    authz.peers.factors.give(ADA.user_id, Factor.U2F, Factor.TOTP)
    id = await browser.begin()
    totp = await browser.answer(id, await browser.log_in(id), other=StepName.TOTP)
    await browser.answer(id, totp, code="111111")
    silent = Landing(await browser.authorize(claims=claims(ACR_PHISHING_RESISTANT), prompt="none"))
    weak = await browser.begin(claims=claims(ACR_PHISHING_RESISTANT))
    chosen = await browser.answer(weak, await browser.ask(weak), other=StepName.TOTP)
    done = await browser.answer(weak, chosen, code="222222")
    refused = Landing(await browser.get(done.continue_to))
    id = await browser.begin(claims=claims(ACR_PHISHING_RESISTANT))
    given = await use_key(browser, id, await browser.ask(id))

    assert silent.query["error"] == "interaction_required"
    assert refused.query["error"] == UNMET
    assert await acr_of(authz, given) == ACR_PHISHING_RESISTANT


@pytest.mark.parametrize(
    ("values", "returned"),
    [
        ((ACR_MULTI_FACTOR,), ACR_MULTI_FACTOR),
        ((ACR_PASSWORD, ACR_MULTI_FACTOR), ACR_MULTI_FACTOR),
        ((ACR_PHISHING_RESISTANT, ACR_PASSWORD), ACR_PHISHING_RESISTANT),
        (("1", ACR_PASSWORD), ACR_PASSWORD),
    ],
)
async def test_returned_acr_is_a_requested_level(
    authz: AuthzService, browser: FakeBrowser, values: tuple[str, ...], returned: str
) -> None:
    """A stronger authentication satisfies the weaker levels of the request."""
    authz.peers.factors.give(ADA.user_id, Factor.U2F)
    id = await browser.begin(claims=claims(*values))

    assert await acr_of(authz, await use_key(browser, id, await browser.log_in(id))) == returned


@pytest.mark.parametrize(
    ("bound", "amr"), [(True, ("pwd", "hwk", "user", "mfa")), (False, ("pwd", "pop", "user", "mfa"))]
)
async def test_only_a_key_that_cannot_be_copied_is_hwk(
    authz: AuthzService, browser: FakeBrowser, bound: bool, amr: tuple[str, ...]
) -> None:
    """`hwk` is about hardware; other keys are `pop` (RFC 8176 section 2, decision 0119)."""
    authz.peers.factors.give(ADA.user_id, Factor.U2F)
    authz.peers.factors.device_bound = {ADA.user_id} if bound else set()
    id = await browser.begin()

    assert (await grant_of(authz, await use_key(browser, id, await browser.log_in(id)))).amr == amr


async def test_phrh_needs_a_key_that_cannot_be_copied(authz: AuthzService, browser: FakeBrowser) -> None:
    """A copied key reaches phr; the session keeps phrh, and an essential phrh asks a copied key once more."""
    authz.peers.factors.give(ADA.user_id, Factor.U2F)
    id = await browser.begin(acr_values="phrh phr")
    copied = await use_key(browser, id, await browser.log_in(id))
    voluntary = Landing(await browser.authorize(acr_values="phrh"))
    id = await browser.begin(claims=claims(ACR_PHRH))
    refused = await use_key(browser, id, await browser.ask(id))
    authz.peers.factors.device_bound = {ADA.user_id}
    id = await browser.begin(claims=claims(ACR_PHRH))
    bound = await use_key(browser, id, await browser.ask(id))
    silent = Landing(await browser.authorize(claims=claims(ACR_PHRH), prompt="none"))
    unnamed = Landing(await browser.authorize())

    assert refused.query["error"] == UNMET
    assert [await acr_of(authz, landing) for landing in (copied, voluntary, bound, silent, unnamed)] == [
        ACR_PHR,
        ACR_PHISHING_RESISTANT,
        ACR_PHRH,
        ACR_PHRH,
        ACR_PHISHING_RESISTANT,
    ]


@pytest.mark.parametrize("values", [("1",), ("1", "2"), (7,), (None, {}), ([],)])
@pytest.mark.parametrize("essential", [True, False])
async def test_unpublished_acr_cannot_be_reached(
    authz: AuthzService, browser: FakeBrowser, values: tuple[object, ...], essential: bool
) -> None:
    """Unpublished essential values fail the request, and voluntary ones have no effect."""
    landing = await browser.sign_in(claims=claims(*values, essential=essential))

    assert (landing.query.get("error") == UNMET) is essential
    assert ("code" in landing.query) is not essential


async def test_essential_acr_without_values_has_no_effect(browser: FakeBrowser) -> None:
    assert "code" in (await browser.sign_in(claims='{"id_token": {"acr": {"essential": true}}}')).query
    assert "code" in Landing(await browser.authorize(claims='{"id_token": {"acr": null}}')).query
