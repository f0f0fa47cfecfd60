"""Microsoft Entra: issuers, subjects and addresses of tenants."""

from __future__ import annotations

from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from portico_contracts.users import ExternalFinished
from portico_fakes.faulty_provider import ISSUER

from .external_preset import PresetHouse

pytestmark = pytest.mark.servers

TENANT = "b9419818-09af-49c2-b0c3-653adc1f376e"
OTHER_TENANT = "11111111-2222-3333-4444-555555555555"
PERSONAL = "9188040d-6c67-4c5b-b112-36a304b66dad"


class Entra(PresetHouse):
    def __init__(self, world: Any, tenant: str = "organizations") -> None:
        super().__init__(world, f"{ISSUER}/{tenant}/v2.0")
        template = f"{ISSUER}/{'{tenantid}' if tenant != TENANT else tenant}/v2.0"
        self.provider.metadata = {
            "issuer": template,
            "authorization_response_iss_parameter_supported": None,
            "token_endpoint_auth_methods_supported": ["client_secret_post", "client_secret_basic"],
        }
        self.provider.key_members = {"alg": None, "issuer": template}
        self.person()

    def person(self, tenant: str = TENANT, **changed: Any) -> None:
        issuer = f"{ISSUER}/{tenant}/v2.0"
        self.provider.claims = {
            "iss": issuer,
            "tid": tenant,
            "oid": "the-object",
            "email": "ada@corp.example",
            **changed,
        }

    async def sign_in(self, **parameters: str) -> ExternalFinished:
        callback = self.provider.follow((await self.begin()).url)
        del callback["iss"]
        return await self.finish({**callback, **parameters})


@pytest.mark.parametrize("tenant", ["common", "organizations", TENANT])
async def test_entra_issuer_contains_the_tenant(users_world: Any, tenant: str) -> None:
    """Issuer and subject belong to the tenant: the same object id in another tenant is another user (IP-06)."""
    entra = Entra(users_world, tenant)
    await entra.set_up("entra")
    identity = (await entra.sign_in()).identity

    assert (identity.issuer, identity.subject) == (f"{ISSUER}/{TENANT}/v2.0", f"{TENANT}:the-object")
    assert "/userinfo" not in "".join(entra.provider.asked)


async def test_announced_issuer_of_a_shared_endpoint_is_that_of_the_token(users_world: Any) -> None:
    """The tenant is unknown at the callback, so `iss` (RFC 9207) is compared once the token is verified."""
    entra = Entra(users_world)
    entra.provider.metadata["authorization_response_iss_parameter_supported"] = True
    await entra.set_up("entra")
    issuer = f"{ISSUER}/{TENANT}/v2.0"

    assert (await entra.sign_in(iss=issuer)).identity.issuer == issuer
    assert [await entra.refusal(iss=f"{ISSUER}/{OTHER_TENANT}/v2.0"), await entra.refusal()] == ["USER-981"] * 2


@pytest.mark.parametrize(
    ("tenant", "claims", "refusal"),
    [
        ("organizations", {"iss": f"{ISSUER}/{OTHER_TENANT}/v2.0"}, "USER-964"),
        ("organizations", {"iss": f"{ISSUER}/{{tenantid}}/v2.0"}, "USER-964"),
        ("organizations", {"iss": "https://other.example"}, "USER-964"),
        ("organizations", {"tid": None}, "USER-964"),
        ("organizations", {"tid": "organizations", "iss": f"{ISSUER}/organizations/v2.0"}, "USER-968"),
        ("organizations", {"tid": PERSONAL, "iss": f"{ISSUER}/{PERSONAL}/v2.0"}, "USER-631"),
        ("consumers", {}, "USER-631"),
        ("organizations", {"oid": None}, "USER-633"),
        ("organizations", {"oid": 7}, "USER-633"),
        (TENANT, {"tid": OTHER_TENANT}, "USER-631"),
        (TENANT, {"tid": OTHER_TENANT, "iss": f"{ISSUER}/{OTHER_TENANT}/v2.0"}, "USER-964"),
    ],
)
async def test_entra_issuer_is_compared_exactly(
    users_world: Any, tenant: str, claims: dict[str, Any], refusal: str
) -> None:
    """The comparison of issuers is exact for every tenant, and never omitted (IP-06)."""
    entra = Entra(users_world, tenant)
    entra.person(**claims)
    await entra.set_up("entra")

    assert await entra.refusal() == refusal


@pytest.mark.parametrize("claims", [{"iss": f"{ISSUER}/{OTHER_TENANT}/v2.0"}, {"iss": "https://other.example"}])
async def test_issuer_is_compared_for_keys_without_one(users_world: Any, claims: dict[str, Any]) -> None:
    """The key set alone does not determine the tenant of a token (IP-06)."""
    entra = Entra(users_world)
    entra.provider.key_members = {"alg": None}
    entra.person(**claims)
    await entra.set_up("entra")

    assert await entra.refusal() == "USER-966"


async def test_key_of_one_tenant_signs_for_no_other(users_world: Any) -> None:
    """Tenants share the key set, so a key's issuer restricts it (IP-06)."""
    entra = Entra(users_world)
    entra.provider.key_members = {"alg": None, "issuer": f"{ISSUER}/{OTHER_TENANT}/v2.0"}
    await entra.set_up("entra")

    assert await entra.refusal() == "USER-964"


async def test_only_listed_tenants_sign_in(users_world: Any) -> None:
    """Other tenants are refused where the configuration lists any (IP-06)."""
    entra = Entra(users_world)
    await entra.set_up("entra", tenants=[TENANT])
    allowed = await entra.sign_in()
    entra.person(OTHER_TENANT)

    assert allowed.identity.subject.startswith(TENANT)
    assert await entra.refusal() == "USER-631"


@pytest.mark.parametrize(
    ("claims", "is_verified"),
    [
        ({"xms_edov": True}, True),
        ({"xms_edov": "true"}, False),
        ({"xms_edov": 1}, False),
        ({"xms_edov": False, "email_verified": True}, False),
        ({"email_verified": True}, False),
    ],
)
async def test_entra_address_requires_xms_edov(users_world: Any, claims: dict[str, Any], is_verified: bool) -> None:
    """Tenants can set arbitrary addresses (nOAuth) and `email_verified`, so only xms_edov counts (IP-06)."""
    entra = Entra(users_world)
    entra.person(**claims)
    await entra.set_up("entra")

    assert (await entra.sign_in()).identity.profile.email_verified is is_verified


async def test_entra_receives_one_prompt_value(users_world: Any) -> None:
    """Entra refuses two values of prompt (AADSTS90023), and a login_hint together with select_account."""
    entra = Entra(users_world)
    await entra.set_up("entra")
    asked = ["login select_account", "select_account", ""]
    urls = [(await entra.begin(prompt=prompt, login_hint="ada@corp.example")).url for prompt in asked]
    queries = [parse_qs(urlsplit(url).query) for url in urls]

    assert [(one.get("prompt"), "login_hint" in one) for one in queries] == [
        (["login"], True),
        (["select_account"], False),
        (None, True),
    ]
