from __future__ import annotations

from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from portico_contracts.users import (
    ExternalFinished,
    ProviderKind,
    ProviderRedirect,
)
from portico_fakes.faulty_provider import CLIENT_ID, CLIENT_SECRET, FAULTS, ISSUER, FaultyProvider
from portico_oauth.errors import ServiceError
from portico_runtime.http_client.outbound import OutboundResponse

from .external_code import CALLBACK, CodeSignIn

pytestmark = pytest.mark.servers


class House(CodeSignIn):
    def __init__(self, world: Any) -> None:
        super().__init__(world, "house")
        self.provider = FaultyProvider(world.clock)

    async def set_up(self, **members: Any) -> None:
        oidc = {
            "id": self.idp_id,
            "name": "house",
            "issuer": ISSUER,
            "clientId": CLIENT_ID,
            "clientSecret": CLIENT_SECRET,
            **members,
        }
        await self.world.home(oidcIdps=[oidc], loginPolicy={"idps": [self.idp_id]})
        for path in ("/.well-known/openid-configuration", "/keys", "/userinfo"):
            self.world.providers.answers[ISSUER + path] = self._get(ISSUER + path)
        self.world.providers.answers[f"{ISSUER}/token"] = self._exchange

    def _get(self, url: str) -> Any:
        async def answer(_fields: dict[str, str], headers: dict[str, str]) -> OutboundResponse:
            return await self.provider.get(url, headers)

        return answer

    async def _exchange(self, fields: dict[str, str], headers: dict[str, str]) -> OutboundResponse:
        return await self.provider.exchange(f"{ISSUER}/token", fields, headers)

    async def sign_in(self, **members: Any) -> ExternalFinished:
        return await self.finish(self.provider.follow((await self.begin()).url), **members)


@pytest.fixture
def house(users_world: Any) -> House:
    return House(users_world)


async def test_authorization_request_is_complete(house: House) -> None:
    """The request has code, state, nonce, PKCE with S256 and the hint; the endpoint's query is retained (RFC
    9700 §2.1.1).
    """
    await house.set_up()
    begun = await house.begin(login_hint="ada@mail.example")
    query = {name: values[0] for name, values in parse_qs(urlsplit(begun.url).query).items()}

    assert begun.url.startswith(f"{ISSUER}/authorize?tenant=7&")
    assert (query["client_id"], query["response_type"], query["redirect_uri"]) == (CLIENT_ID, "code", CALLBACK)
    assert (query["state"], query["nonce"], query["login_hint"]) == ("the-state", "the-nonce", "ada@mail.example")
    assert (query["code_challenge_method"], len(query["code_challenge"])) == ("S256", 43)
    assert query["scope"] == "openid profile email"
    assert begun.provider.kind is ProviderKind.CODE
    assert CLIENT_SECRET not in begun.url


async def test_identity_is_verified(house: House) -> None:
    """The profile comes from the ID token and from userinfo, which is requested when something is missing."""
    house.provider.claims = {"given_name": "Ada"}
    house.provider.userinfo = {"given_name": "Other", "family_name": "Lovelace", "email": "ada@mail.example"}
    await house.set_up()
    done = await house.sign_in()
    profile = done.identity.profile

    assert (done.identity.issuer, done.identity.subject, done.onward) == (
        ISSUER,
        "ada-there",
        ProviderRedirect.COMPLETE,
    )
    assert (profile.first_name, profile.last_name, profile.email) == ("Ada", "Lovelace", "ada@mail.example")
    assert await house.refusals() == []


async def test_prompt_and_max_age_are_forwarded(house: House) -> None:
    """Prompt and max_age are forwarded where authz sends them, and omitted otherwise (OIDC Core §3.1.2.1)."""
    await house.set_up()
    asked = [
        await house.begin(prompt="login select_account", max_age=0),
        await house.begin(max_age=30),
        await house.begin(),
    ]
    queries = [parse_qs(urlsplit(one.url).query) for one in asked]

    assert [(one.get("prompt"), one.get("max_age")) for one in queries] == [
        (["login select_account"], ["0"]),
        (None, ["30"]),
        (None, None),
    ]


async def test_auth_time_is_that_of_the_id_token(house: House) -> None:
    """A time in the future, in userinfo or of the wrong type is ignored."""
    now = int(house.world.clock.now())
    stated: list[tuple[Any, int]] = [
        (now - 7_200, now - 7_200),
        (now - 7_200.5, now - 7_201),
        (now + 3_600, now),
        (str(now), 0),
        (True, 0),
        (-1, 0),
        (None, 0),
    ]
    house.provider.userinfo = {"auth_time": now}
    await house.set_up()
    for claim, right in stated:
        house.provider.claims = {"auth_time": claim}

        assert (await house.sign_in()).identity.auth_time == right, claim


async def test_amr_is_that_of_the_id_token(house: House) -> None:
    """Values in userinfo, which is not signed, are ignored (IP-06)."""
    house.provider.userinfo = {"given_name": "Ada", "amr": ["mfa"]}
    await house.set_up(amr={"mfa": ["otp", "mfa"]})
    unsigned = await house.sign_in()
    house.provider.claims = {"amr": ["mfa"]}
    signed = await house.sign_in()

    assert (unsigned.identity.profile.first_name, unsigned.identity.amr) == ("Ada", ())
    assert signed.identity.amr == ("otp", "mfa")


@pytest.mark.parametrize("fault", FAULTS)
async def test_each_fault_has_one_error(house: House, fault: str) -> None:
    """Each fault causes one error and one event, and neither an account nor a link (IP-06)."""
    house.provider.claims = {"given_name": "Ada"}
    house.provider.userinfo = {"family_name": "Lovelace", "email": f"ada-{house.world.tag}@mail.example"}
    house.provider.fault = fault
    await house.set_up(autoRegister=True)
    with pytest.raises(ServiceError) as refused:
        await house.sign_in()

    assert refused.value.id == FAULTS[fault]
    assert await house.refusals() == [FAULTS[fault]]
    assert await house.world.rows("users", orgId=house.world.org_id) == []


@pytest.mark.parametrize(
    ("fault", "error_code"),
    [
        ("discovery: another issuer", "USER-981"),
        ("discovery: no token endpoint", "USER-962"),
        ("discovery: status 500", "USER-961"),
    ],
)
async def test_fault_has_the_same_error_until_the_next_fetch(house: House, fault: str, error_code: str) -> None:
    """A document that was refused is fetched again after 30 s; until then its error is that of the first sign-in."""
    await house.set_up()
    house.provider.fault = fault
    found = []
    for _ in range(3):
        with pytest.raises(ServiceError) as refused:
            await house.begin()
        found.append(refused.value.id)
    house.provider.fault = ""
    house.world.clock.tick(31)

    assert found == [error_code] * 3
    assert (await house.sign_in()).identity.subject == "ada-there"


async def test_sign_in_without_fault_succeeds(house: House) -> None:
    """The sign-in succeeds without a fault, so each error is caused by its fault."""
    house.provider.claims = {"given_name": "Ada"}
    house.provider.userinfo = {"family_name": "Lovelace", "email": f"ada-{house.world.tag}@mail.example"}
    await house.set_up(autoRegister=True)

    assert (await house.sign_in()).onward is ProviderRedirect.SIGNED_IN
    assert (await house.sign_in()).onward is ProviderRedirect.SIGNED_IN
    (human,) = await house.world.rows("users", orgId=house.world.org_id)
    assert [link["userId"] for link in human["idpLinks"]] == ["ada-there"]


async def test_secret_is_sent_by_the_supported_method(house: House) -> None:
    """The secret is sent in the form where the provider supports only that (OIDC Discovery §3)."""
    house.provider.metadata = {"token_endpoint_auth_methods_supported": ["client_secret_post"]}
    await house.set_up()

    assert (await house.sign_in()).identity.subject == "ada-there"


@pytest.mark.parametrize("audience", [[CLIENT_ID], [CLIENT_ID, "another"]])
async def test_azp_names_portico(house: House, audience: list[str]) -> None:
    """The claim azp is optional with one audience and required with several (OIDC Core §3.1.3.7)."""
    house.provider.claims = {"aud": audience, "azp": CLIENT_ID}
    await house.set_up()

    assert (await house.sign_in()).identity.subject == "ada-there"


async def test_email_verified_belongs_to_its_address(house: House) -> None:
    """email_verified of userinfo does not verify the address of the ID token, nor vice versa (IP-06)."""
    await house.set_up()
    house.provider.claims = {"email": "ada@mail.example"}
    house.provider.userinfo = {"email": "other@mail.example", "email_verified": True}
    signed = (await house.sign_in()).identity.profile
    house.provider.claims = {"email_verified": True}
    house.provider.userinfo = {"email": "other@mail.example"}
    unsigned = (await house.sign_in()).identity.profile

    assert (signed.email, signed.email_verified) == ("ada@mail.example", False)
    assert (unsigned.email, unsigned.email_verified) == ("other@mail.example", False)


async def test_oidc_provider_is_not_trusted_for_addresses(house: House) -> None:
    """An address that the provider states as verified is unverified in the account unless the provider is
    trusted for addresses (IP-06).
    """
    names = {"given_name": "Ada", "family_name": "Lovelace"}
    house.provider.claims = {**names, "email": f"ada-{house.world.tag}@mail.example", "email_verified": True}
    await house.set_up(autoRegister=True)
    await house.sign_in()
    (human,) = await house.world.rows("users", orgId=house.world.org_id)

    assert (human["email"], human["emailVerified"]) == (house.provider.claims["email"], False)


@pytest.mark.parametrize("stated", [True, False, "true", None])
async def test_trusted_provider_verifies_addresses(house: House, stated: Any) -> None:
    """Only the boolean true verifies an address of a trusted provider (IP-06)."""
    names = {"given_name": "Ada", "family_name": "Lovelace"}
    house.provider.claims = {**names, "email": f"ada-{house.world.tag}@mail.example", "email_verified": stated}
    await house.set_up(autoRegister=True, trustedEmail=True)
    await house.sign_in()
    (human,) = await house.world.rows("users", orgId=house.world.org_id)

    assert human["emailVerified"] is (stated is True)


@pytest.mark.parametrize("missing", ["state", "nonce", "code_challenge", "redirect_uri"])
async def test_request_without_protection_is_refused(house: House, missing: str) -> None:
    """State, nonce and PKCE are always required (RFC 9700 §4.7)."""
    await house.set_up()
    with pytest.raises(ServiceError) as refused:
        await house.begin(**{missing: ""})

    assert refused.value.id == "PORT-005"


async def test_wrong_verifier_is_refused_by_the_provider(house: House) -> None:
    """The code is unusable without the verifier of this flow (RFC 7636)."""
    await house.set_up()
    parameters = house.provider.follow((await house.begin()).url)
    with pytest.raises(ServiceError) as refused:
        await house.finish(parameters, code_verifier="w" * 43)

    assert refused.value.id == "USER-979"


async def test_documents_are_cached(house: House) -> None:
    """Discovery and keys are fetched once for several sign-ins."""
    house.provider.claims = {"given_name": "A", "family_name": "B", "email": "a@mail.example"}
    await house.set_up()
    for _ in range(3):
        await house.sign_in()

    fetched = [url.removeprefix(ISSUER) for url in house.provider.asked]
    assert fetched.count("/.well-known/openid-configuration") == fetched.count("/keys") == 1
    assert fetched.count("/userinfo") == 0
