"""DPoP at the authorization endpoint: the key of a code, and response types that cannot be bound (RFC 9449)."""

from __future__ import annotations

import pytest
from portico_contracts import http
from portico_contracts.authz import REDEEM_CODE, RedeemCode
from portico_contracts.users import Dpop
from portico_fakes.authz_service import CALLBACK, AuthzService, Landing
from portico_fakes.clock import FrozenClock
from portico_fakes.memory_bus import MemoryBus
from portico_oauth.errors import ServiceError

JKT = "0ZcOCORZNYy-DWpqq30jZyJGHTN0d2HglBV3uiguA4I"
BOTH = {"response_types": ("code", "id_token token"), "grant_types": ("authorization_code", "implicit")}


@pytest.fixture
def authz(clock: FrozenClock, bus: MemoryBus) -> AuthzService:
    return AuthzService(clock, bus)


async def redeem(bus: MemoryBus, code: str, jkt: str) -> bool:
    ask = RedeemCode(code=code, client_id="web", redirect_uri=CALLBACK, jkt=jkt)
    return (await bus.call(REDEEM_CODE, ask)).grant is not None


async def test_code_is_for_the_named_key(authz: AuthzService, bus: MemoryBus) -> None:
    """Also through the sign-in, where the request is stored; another key, and none, leave the code valid."""
    authz.peers.register("web", dpop=Dpop.ALLOWED)
    code = (await authz.browser().sign_in(dpop_jkt=JKT)).query["code"]
    for other in ("", "x" * 43):
        with pytest.raises(ServiceError, match="AUTHZ-045"):
            await redeem(bus, code, other)

    assert await redeem(bus, code, JKT)


async def test_code_without_a_named_key_is_for_any(authz: AuthzService, bus: MemoryBus) -> None:
    authz.peers.register("web", dpop=Dpop.REQUIRED)
    code = (await authz.browser().sign_in()).query["code"]

    assert await redeem(bus, code, JKT)


async def test_off_ignores_the_parameter(authz: AuthzService, bus: MemoryBus) -> None:
    code = (await authz.browser().sign_in(dpop_jkt="malformed")).query["code"]

    assert await redeem(bus, code, "")


@pytest.mark.parametrize("jkt", ["x" * 42, "x" * 44, "=" * 43])
async def test_malformed_thumbprint_is_refused(authz: AuthzService, jkt: str) -> None:
    authz.peers.register("web", dpop=Dpop.ALLOWED)
    landing = Landing(await authz.browser().authorize(dpop_jkt=jkt))

    assert landing.query["error"] == "invalid_request"
    assert "dpop_jkt" in landing.query["error_description"]


@pytest.mark.parametrize("dpop", [Dpop.ALLOWED, Dpop.REQUIRED])
async def test_required_refuses_tokens_that_cannot_be_bound(authz: AuthzService, dpop: Dpop) -> None:
    """Even where the application has the response type, as one that an older release stored can."""
    authz.peers.register("web", dpop=dpop, **BOTH)
    answer = await authz.browser().authorize(response_type="id_token token", prompt="none", nonce="n")
    fragment = answer.headers["location"].partition("#")[2]

    expected = "unauthorized_client" if dpop is Dpop.REQUIRED else "login_required"
    assert f"error={expected}" in fragment


@pytest.mark.parametrize("fapi2", [False, True])
async def test_fapi2_needs_pkce(authz: AuthzService, *, fapi2: bool) -> None:
    """Of an application with credentials, too (FAPI 2.0 Security Profile section 5.3.2.2)."""
    authz.peers.register("web", fapi2=fapi2)
    answer = await authz.browser().authorize(code_challenge=None, code_challenge_method=None, prompt="none")

    expected = "invalid_request" if fapi2 else "login_required"
    assert Landing(answer).query["error"] == expected


async def test_metadata_only_while_an_application_uses_it(authz: AuthzService, clock: FrozenClock) -> None:
    shown = []
    for dpop in Dpop:
        authz.peers.register("web", dpop=dpop)
        clock.tick(301)
        found = (await authz.browser().get(http.DISCOVERY)).json()
        shown.append(found.get("dpop_signing_alg_values_supported"))

    assert shown == [None, ["RS256", "ES256", "EdDSA"], ["RS256", "ES256", "EdDSA"]]
