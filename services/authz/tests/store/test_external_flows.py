from __future__ import annotations

import asyncio

import pytest
from portico_authz.domain.external import ExternalFlow, Mismatch, ParkedReturn
from portico_authz.domain.ports import Stores
from portico_contracts.users import ProviderKind
from portico_fakes.authz_samples import opaque

STRANGE = ["", "x", "00" + "A" * 43, "{00}*?[a]", "\u00fc", "a" * 5_000]
FLOW = ExternalFlow(
    request_id="request",
    browser_id="browser",
    provider_id="idp-1",
    provider_name="\u00c4cme",
    kind=ProviderKind.JWT,
    org_id="org-1",
    redirect_uri="https://id.example/cb",
    nonce="nonce",
    verifier="verifier",
    jwt_header="x-jwt",
    form_post=True,
)


async def test_flow_is_claimed_once(authz_stores: Stores) -> None:
    """Of two hundred callers one gets the stored flow (LG-14)."""
    flows, state = authz_stores.external_flows, opaque()
    await flows.create(state, FLOW, 60)
    assert await flows.find(state) == FLOW
    claims = await asyncio.gather(*(flows.claim(state, "browser", "idp-1") for _ in range(200)))

    assert [claim for claim in claims if claim is not None] == [FLOW]
    assert await flows.find(state) is None


async def test_wrong_browser_or_provider_does_not_use_a_flow_up(authz_stores: Stores) -> None:
    """The flow stays valid for its browser and provider (RFC 9700 §4.4)."""
    flows, state = authz_stores.external_flows, opaque()
    await flows.create(state, FLOW, 60)

    assert await flows.claim(state, "other", "idp-1") is Mismatch.BROWSER
    assert await flows.claim(state, "browser", "idp-2") is Mismatch.PROVIDER
    assert await flows.claim(state, "browser", "idp-1") == FLOW


async def test_stored_response_is_read_once(authz_stores: Stores) -> None:
    returns, handle = authz_stores.parked_returns, opaque()
    parked = ParkedReturn("state", "idp-1", {"code": "\u00e4", "user": "{}"}, "a.b.c")
    await returns.save(handle, parked, 60)

    assert await returns.find(handle) == parked
    assert [await returns.consume(handle) for _ in range(2)] == [True, False]
    assert await returns.find(handle) is None


@pytest.mark.parametrize("text", STRANGE)
async def test_malformed_identifier_finds_nothing(authz_stores: Stores, text: str) -> None:
    flows = authz_stores.external_flows

    assert (await flows.find(text), await authz_stores.parked_returns.find(text)) == (None, None)
    assert await flows.claim(text, "browser", "idp-1") is None
