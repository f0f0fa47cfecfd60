from __future__ import annotations

from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from portico_contracts.users import ExternalBegun, ExternalFinished, ProviderKind, ProviderRedirect
from portico_fakes.faulty_oauth2 import API, CLIENT_ID, CLIENT_SECRET, FAULTS, HOST, FaultyOauth2
from portico_oauth.errors import ServiceError

from .external_code import CodeSignIn

pytestmark = pytest.mark.servers


class Hub(CodeSignIn):
    def __init__(self, world: Any) -> None:
        super().__init__(world, "hub")
        self.provider = FaultyOauth2()
        self.provider.emails = [self.email("other", primary=False), self.email("ada")]

    def email(self, name: str, **changed: Any) -> dict[str, Any]:
        return {"email": self.world.mail(name), "primary": True, "verified": True, **changed}

    async def set_up(self, **members: Any) -> None:
        oauth2 = {
            "id": self.idp_id,
            "name": "hub",
            "preset": "github-enterprise",
            "authorizationEndpoint": f"{HOST}/login/oauth/authorize?tenant=7",
            "tokenEndpoint": f"{HOST}/login/oauth/access_token",
            "userinfoEndpoint": f"{API}/user",
            "clientId": CLIENT_ID,
            "clientSecret": CLIENT_SECRET,
            **members,
        }
        await self.world.home(oauth2Idps=[oauth2], loginPolicy={"idps": [self.idp_id]})
        answers = self.world.providers.answers
        answers[f"{HOST}/login/oauth/access_token"] = self.provider.token
        answers[f"{API}/user"] = self.provider.user_document
        answers[f"{API}/user/emails"] = self.provider.email_list

    async def sign_in(self) -> ExternalFinished:
        return await self.finish(self.provider.follow((await self.begin()).url))


@pytest.fixture
def hub(users_world: Any) -> Hub:
    return Hub(users_world)


async def test_browser_is_redirected_with_state_and_pkce(hub: Hub) -> None:
    """The request has code, state and PKCE with S256, but no nonce, since no ID token would contain it (RFC 9700
    §2.1.1).
    """
    await hub.set_up()
    begun: ExternalBegun = await hub.begin()
    query = {name: values[0] for name, values in parse_qs(urlsplit(begun.url).query).items()}

    assert begun.url.startswith(f"{HOST}/login/oauth/authorize?tenant=7&")
    assert (query["client_id"], query["response_type"], query["state"]) == (CLIENT_ID, "code", "the-state")
    assert (query["code_challenge_method"], len(query["code_challenge"])) == ("S256", 43)
    assert query["scope"] == "read:user user:email"
    assert "nonce" not in query
    assert (begun.provider.kind, begun.provider.styling) == (ProviderKind.CODE, "github-enterprise")


async def test_identity_is_the_numeric_user_id(hub: Hub) -> None:
    """The login can be reassigned, so the numeric id is used; the address is the primary one of the list (IP-06)."""
    await hub.set_up()
    done = await hub.sign_in()
    identity = done.identity

    assert (identity.subject, identity.issuer) == ("583231", f"{API}/user#id")
    assert (identity.profile.user_name, identity.profile.display_name) == ("ada", "Ada Lovelace")
    assert (identity.profile.email, identity.profile.email_verified) == (hub.world.mail("ada"), True)
    assert done.onward is ProviderRedirect.COMPLETE
    assert await hub.refusals() == []


async def test_oauth2_provider_proves_no_auth_time(hub: Hub) -> None:
    """The provider is asked to authenticate the user, but its response does not prove that it did."""
    await hub.set_up()
    query = parse_qs(urlsplit((await hub.begin(prompt="select_account", max_age=30)).url).query)

    assert (query["prompt"], query["max_age"]) == (["select_account"], ["30"])
    assert (await hub.sign_in()).identity.auth_time == 0


@pytest.mark.parametrize("fault", FAULTS)
async def test_each_fault_has_one_error(hub: Hub, fault: str) -> None:
    """Each fault causes one error and one event, and neither an account nor a link (IP-06)."""
    hub.provider.fault = fault
    await hub.set_up(autoRegister=True)
    with pytest.raises(ServiceError) as refused:
        await hub.sign_in()

    assert refused.value.id == FAULTS[fault]
    assert await hub.refusals() == [FAULTS[fault]]
    assert await hub.world.rows("users", orgId=hub.world.org_id) == []


@pytest.mark.parametrize(
    "changed",
    [{"verified": False}, {"verified": "true"}, {"verified": 1}, {"primary": False}, {"primary": "true"}, {"email": 7}],
)
async def test_only_the_verified_primary_address_counts(hub: Hub, changed: dict[str, Any]) -> None:
    """The address in the user document is only displayed, and no other address of the list replaces the primary
    one (IP-06).
    """
    await hub.set_up()
    hub.provider.emails = [hub.email("ada", **changed), "no object"]
    profile = (await hub.sign_in()).identity.profile

    assert (profile.email, profile.email_verified) == ("", False)


async def test_linked_user_signs_in_again(hub: Hub) -> None:
    """A changed login with the same numeric id signs the user in; the access token is not stored."""
    await hub.set_up(autoRegister=True)
    names = {"firstName": "given", "lastName": "family", "displayName": "name", "subject": "id", "userName": "login"}
    await hub.set_up(autoRegister=True, claims=names)
    hub.provider.user |= {"given": "Ada", "family": "Lovelace"}
    first = await hub.sign_in()
    hub.provider.user["login"] = "countess"
    second = await hub.sign_in()
    rows = await hub.world.rows("users", orgId=hub.world.org_id)

    assert (first.onward, second.onward) == (ProviderRedirect.SIGNED_IN, ProviderRedirect.SIGNED_IN)
    assert [link["userId"] for link in rows[0]["idpLinks"]] == ["583231"]
    assert "gho_" not in str(rows)


async def test_changed_subject_member_invalidates_links(hub: Hub) -> None:
    """A link belongs to endpoint and member: another user whose name equals the old id gets no account (IP-06)."""
    names = {"firstName": "given", "lastName": "family"}
    hub.provider.user |= {"given": "Ada", "family": "Lovelace"}
    await hub.set_up(autoRegister=True, claims={"subject": "id", **names})
    await hub.sign_in()
    await hub.set_up(autoRegister=True, claims={"subject": "login", **names})
    hub.provider.user |= {"id": 7, "login": "583231"}
    with pytest.raises(ServiceError) as refused:
        await hub.sign_in()

    assert refused.value.id == "USER-977"


async def test_secret_is_bound_to_its_token_endpoint(hub: Hub) -> None:
    """Another endpoint requires the secret again, and resets the trust in email addresses (MG-18)."""
    await hub.set_up(trustedEmail=True)
    other = {"tokenEndpoint": f"{HOST}/other", "clientSecret": None}
    with pytest.raises(ServiceError) as refused:
        await hub.set_up(**other)
    await hub.set_up(tokenEndpoint=f"{HOST}/other")
    (row,) = await hub.world.rows("idps", orgId=hub.world.org_id)

    assert refused.value.id == "USER-608"
    assert row["config"]["trustedEmail"] is False


@pytest.mark.parametrize(
    ("members", "error", "place"),
    [
        ({"authorizationEndpoint": "http://hub.example/a"}, "USER-601", "authorizationEndpoint"),
        ({"authorizationEndpoint": "javascript:alert(1)"}, "USER-601", "authorizationEndpoint"),
        ({"tokenEndpoint": "https://127.0.0.1/token"}, "USER-602", "tokenEndpoint"),
        ({"userinfoEndpoint": "https://169.254.169.254/user"}, "USER-602", "userinfoEndpoint"),
        ({"emailsEndpoint": "http://[::1]/emails"}, "USER-602", "emailsEndpoint"),
        ({"tokenEndpoint": ""}, "USER-602", "tokenEndpoint"),
        ({"scopes": ["two words"]}, "USER-605", "scopes[0]"),
        ({"authMethod": "private_key_jwt"}, "USER-625", "authMethod"),
        ({"authMethod": "client_secret_basic"}, "USER-625", "authMethod"),
        ({"claims": {"subject": "a..b"}}, "USER-627", "claims.subject"),
        ({"preset": "oauth2", "claims": {"subject": "id", "emailVerified": "a b"}}, "USER-627", "claims.emailVerified"),
    ],
)
async def test_invalid_configuration_is_refused(hub: Hub, members: dict[str, Any], error: str, place: str) -> None:
    """Each error names the path in the document (IP-03)."""
    with pytest.raises(ServiceError) as refused:
        await hub.set_up(**members)

    assert refused.value.id == error
    assert refused.value.text.startswith(f"organizations[0].oauth2Idps[0].{place}: ")
