"""Each preset against the answers of its provider (IP-03, IP-06)."""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from portico_contracts.users import ExternalFinished
from portico_fakes.faulty_provider import CLIENT_ID, CLIENT_SECRET
from portico_oauth.errors import ServiceError
from portico_oauth.pkce import challenge_of
from portico_runtime.http_client.outbound import OutboundResponse
from portico_users.identity_providers.presets.names import PresetName
from portico_users.identity_providers.presets.preset import PRESETS

from .external_code import CodeSignIn
from .external_preset import PresetHouse
from .provider_answers import OAUTH2, OIDC, OidcAnswers

pytestmark = pytest.mark.servers


async def vendor(world: Any, preset: str, **members: Any) -> tuple[PresetHouse, OidcAnswers]:
    answers = OIDC[preset]
    house = PresetHouse(world, answers.issuer)
    house.provider.metadata = {"authorization_response_iss_parameter_supported": None, **answers.metadata}
    house.provider.claims = {**answers.id_token, **dict.fromkeys(answers.missing)}
    house.provider.userinfo = answers.userinfo
    await house.set_up(preset, issuer=answers.stated, trustedEmail=True, **members)
    return house, answers


@pytest.mark.parametrize("preset", OIDC)
async def test_openid_provider_signs_a_user_in(users_world: Any, preset: str) -> None:
    """Discovery, client authentication and claims work with the values that an administrator has at hand."""
    house, answers = await vendor(users_world, preset)
    identity = (await house.sign_in()).identity
    profile = identity.profile

    assert (identity.issuer, identity.subject) == (answers.issuer, answers.id_token["sub"])
    assert (profile.first_name, profile.last_name, profile.display_name) == ("Ada", "Lovelace", "Ada Lovelace")
    assert (profile.email, profile.email_verified) == ("ada@corp.example", answers.verified)


@pytest.mark.parametrize("stated", ["acme.eu.auth0.com", "https://acme.eu.auth0.com", "https://acme.eu.auth0.com/"])
async def test_domain_is_an_issuer(users_world: Any, stated: str) -> None:
    """Auth0 shows a domain, and its issuer is compared with its slash."""
    house = PresetHouse(users_world, "https://acme.eu.auth0.com/")
    await house.set_up("auth0", issuer=stated)
    (row,) = await users_world.rows("idps", orgId=users_world.org_id)

    assert row["config"]["issuer"] == "https://acme.eu.auth0.com/"


@pytest.mark.parametrize("preset", ["slack", "linkedin"])
async def test_no_verifier_where_it_is_refused(users_world: Any, preset: str) -> None:
    """Both refuse a verifier beside a client secret; state and, at Slack, the nonce bind the code to the sign-in."""
    house, _ = await vendor(users_world, preset)
    query = parse_qs(urlsplit((await house.begin()).url).query)

    assert not {"code_challenge", "code_challenge_method"} & query.keys()
    assert query["nonce"] == ["the-nonce"]
    assert query["state"] == ["the-state"]


async def test_nonce_of_another_sign_in_is_refused_even_where_none_is_needed(users_world: Any) -> None:
    """LinkedIn sends no nonce; if it sends one, it is compared (IP-06)."""
    house, _ = await vendor(users_world, "linkedin")
    house.provider.claims["nonce"] = "of another sign-in"

    assert await house.refusal() == "USER-980"


@pytest.mark.parametrize("preset", [one for one in OIDC if one != "linkedin"])
async def test_nonce_is_required_elsewhere(users_world: Any, preset: str) -> None:
    house, _ = await vendor(users_world, preset)
    house.provider.claims["nonce"] = None

    assert await house.refusal() == "USER-980"


class Vendor(CodeSignIn):
    """An OAuth 2 provider with the addresses of its preset."""

    def __init__(self, world: Any, name: str) -> None:
        super().__init__(world, name)
        self.answers, self.preset = OAUTH2[name], PRESETS[PresetName(name)]
        self.challenge = ""
        self.refused: dict[str, Any] = {}

    async def set_up(self, **members: Any) -> None:
        client = {"clientId": CLIENT_ID, "clientSecret": CLIENT_SECRET, "trustedEmail": True}
        oauth2 = {
            "id": self.idp_id,
            "name": self.preset.token_endpoint,
            "preset": self.answers_name,
            **client,
            **members,
        }
        await self.world.home(oauth2Idps=[oauth2], loginPolicy={"idps": [self.idp_id]})
        self.world.providers.answers |= {
            self.preset.token_endpoint: self._token,
            self.preset.userinfo_endpoint: self._user,
        }

    @property
    def answers_name(self) -> str:
        return self.idp_id.split("-")[0]

    async def sign_in(self) -> ExternalFinished:
        query = parse_qs(urlsplit((await self.begin()).url).query)
        self.challenge = query["code_challenge"][0]
        return await self.finish({"code": "the-code", "state": query["state"][0]})

    async def _token(self, fields: Mapping[str, str], headers: Mapping[str, str]) -> OutboundResponse:
        basic = base64.b64decode(headers.get("Authorization", "").removeprefix("Basic ")).decode()
        by_form = (fields.get("client_id"), fields.get("client_secret")) == (CLIENT_ID, CLIENT_SECRET)
        is_ours = bool(basic) and "client_secret" not in fields if self.answers.basic else by_form and not basic
        if self.refused or not is_ours or challenge_of(fields["code_verifier"]) != self.challenge:
            return OutboundResponse(400, json.dumps(self.refused or {"error": "invalid_client"}).encode())
        return OutboundResponse(200, json.dumps({"access_token": "t", "token_type": "bearer"}).encode())

    async def _user(self, _fields: Mapping[str, str], headers: Mapping[str, str]) -> OutboundResponse:
        assert headers["Authorization"] == "Bearer t"
        return OutboundResponse(200, json.dumps(self.answers.user).encode())


@pytest.mark.parametrize("name", OAUTH2)
async def test_oauth2_provider_signs_a_user_in(users_world: Any, name: str) -> None:
    """Only Discord and X state that an address is verified; Facebook does not (IP-06)."""
    vendor = Vendor(users_world, name)
    await vendor.set_up()
    identity = (await vendor.sign_in()).identity
    profile = {one: getattr(identity.profile, one) for one in vendor.answers.profile}

    assert (identity.subject, profile) == (vendor.answers.subject, vendor.answers.profile)


@pytest.mark.parametrize(
    ("name", "path", "value"),
    [
        ("discord", ("verified",), False),
        ("discord", ("verified",), "true"),
        ("x", ("data", "confirmed_email"), None),
        ("facebook", ("verified",), True),
    ],
)
async def test_unstated_address_is_not_verified(users_world: Any, name: str, path: tuple[str, ...], value: Any) -> None:
    vendor = Vendor(users_world, name)
    await vendor.set_up()
    user = json.loads(json.dumps(vendor.answers.user))
    *outer, last = path
    inside = user
    for part in outer:
        inside = inside[part]
    inside[last] = value
    vendor.answers.user.clear()
    vendor.answers.user.update(user)

    assert not (await vendor.sign_in()).identity.profile.email_verified


async def test_confirmed_addresses_are_those_of_the_member_of_the_preset(users_world: Any) -> None:
    """Another member that a document configures is not confirmed by X."""
    vendor = Vendor(users_world, "x")
    await vendor.set_up(claims={"subject": "data.id", "email": "data.name"})
    vendor.answers.user["data"]["name"] = "root@corp.example"
    profile = (await vendor.sign_in()).identity.profile

    assert (profile.email, profile.email_verified) == ("root@corp.example", False)


async def test_discord_receives_no_prompt(users_world: Any) -> None:
    vendor = Vendor(users_world, "discord")
    await vendor.set_up()
    query = parse_qs(urlsplit((await vendor.begin(prompt="login")).url).query)

    assert "prompt" not in query
    assert query["scope"] == ["identify email"]


async def test_error_object_of_facebook_is_read(users_world: Any, capsys: pytest.CaptureFixture[str]) -> None:
    """The Graph API's error is an object; its type and message are shown to administrators."""
    vendor = Vendor(users_world, "facebook")
    await vendor.set_up()
    message = "Error validating client secret."
    vendor.refused = {"error": {"message": message, "type": "OAuthException", "code": 1, "fbtrace_id": "A"}}
    with pytest.raises(ServiceError) as refused:
        await vendor.sign_in()

    assert refused.value.id == "USER-979"
    assert f"cause='OAuthException' description='{message}'" in capsys.readouterr().out
