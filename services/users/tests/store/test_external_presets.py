from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any
from urllib.parse import parse_qs, urlsplit

import jwt
import pytest
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from portico_fakes.faulty_provider import CLIENT_ID, ISSUER
from portico_oauth.errors import ServiceError

from .external_preset import PresetHouse

pytestmark = pytest.mark.servers

TENANT = "b9419818-09af-49c2-b0c3-653adc1f376e"
TEAM, KEY_ID = "DEF123GHIJ", "ABC123DEFG"


@pytest.mark.parametrize("hd", [None, "other.example", ["corp.example"], "corp.example.other.example", True])
async def test_google_domain_is_checked_in_the_id_token(users_world: Any, hd: Any) -> None:
    """The request parameter only preselects an account: an end user can omit it (IP-06)."""
    house = PresetHouse(users_world)
    await house.set_up("google", hostedDomains=["corp.example"])
    begun = await house.begin()
    house.provider.claims = {"hd": "corp.example"}
    allowed = await house.sign_in()
    house.provider.claims = {"hd": hd}

    assert parse_qs(urlsplit(begun.url).query)["hd"] == ["corp.example"]
    assert allowed.identity.subject == "ada-there"
    assert await house.refusal() == "USER-630"


def pem_of(private: Any) -> str:
    return str(private.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()).decode())


class Apple(PresetHouse):
    def __init__(self, world: Any) -> None:
        super().__init__(world)
        self.key = ec.generate_private_key(ec.SECP256R1())
        self.provider.metadata = {"authorization_response_iss_parameter_supported": None, "userinfo_endpoint": ""}
        self.provider.knows_client = self._is_ours
        self.secrets: list[dict[str, Any]] = []

    def _is_ours(self, fields: Mapping[str, str]) -> bool:
        secret = fields["client_secret"]
        claims = jwt.decode(
            secret,
            self.key.public_key(),
            ["ES256"],
            audience=ISSUER,
            options={"verify_exp": False, "verify_iat": False},
        )
        self.secrets.append(claims)
        now = self.provider.clock.now()
        lasts = claims["exp"] - now
        named = jwt.get_unverified_header(secret)["kid"] == KEY_ID and claims["iss"] == TEAM
        return bool(named and claims["sub"] == fields["client_id"] == CLIENT_ID and 0 < lasts <= 15_777_000)

    async def set_up(self, preset: str = "apple", **members: Any) -> None:
        own = {"teamId": TEAM, "keyId": KEY_ID, "clientSecret": pem_of(self.key)}
        await super().set_up(preset, **{**own, **members})


async def test_apple_client_secret_is_signed_per_request(users_world: Any) -> None:
    """The client secret is an ES256 JWT of the team's key, sent in the form and valid for minutes; the key
    itself is sealed (MG-18).
    """
    apple = Apple(users_world)
    await apple.set_up()
    begun = await apple.begin()
    await apple.sign_in()
    users_world.clock.tick(60)
    await apple.sign_in()
    (row,) = await users_world.rows("idps", orgId=users_world.org_id)
    first, second = apple.secrets

    assert begun.form_post
    assert parse_qs(urlsplit(begun.url).query)["response_mode"] == ["form_post"]
    assert (first["exp"] - first["iat"], second["iat"] - first["iat"]) == (300, 60)
    assert "PRIVATE KEY" not in str(row)


@pytest.mark.parametrize(("stated", "is_verified"), [("true", True), (True, True), ("false", False), ("TRUE", False)])
async def test_apple_may_send_the_string_true(users_world: Any, stated: Any, is_verified: bool) -> None:
    """The quirk applies only to this preset: everywhere else a string is not a boolean (IP-06)."""
    apple = Apple(users_world)
    apple.provider.claims = {"email": "ada@mail.example", "email_verified": stated}
    await apple.set_up()

    assert (await apple.sign_in()).identity.profile.email_verified is is_verified


async def test_unsigned_apple_user_field_only_sets_the_name(users_world: Any) -> None:
    """The field comes through the browser: an address or subject in it is ignored (IP-06)."""
    apple = Apple(users_world)
    await apple.set_up()
    user = {"name": {"firstName": "Ada", "lastName": "Lovelace"}, "email": "root@mail.example", "sub": "root"}
    identity = (await apple.sign_in(user=json.dumps(user))).identity

    assert (identity.subject, identity.profile.display_name) == ("ada-there", "Ada Lovelace")
    assert (identity.profile.first_name, identity.profile.email, identity.profile.email_verified) == ("", "", False)


async def test_google_receives_no_unsupported_prompt(users_world: Any) -> None:
    """Google supports only select_account; the age is still required."""
    house = PresetHouse(users_world)
    await house.set_up("google")
    urls = [(await house.begin(prompt=prompt, max_age=0)).url for prompt in ("login", "login select_account")]
    queries = [parse_qs(urlsplit(url).query) for url in urls]

    assert [(one["prompt"], one["max_age"]) for one in queries] == [(["select_account"], ["0"])] * 2


@pytest.mark.parametrize(
    "user", ["", "{", "[]", '{"name": 7}', '{"name": {"firstName": 7}}', '{"name": null}', "x" * 3_000]
)
async def test_malformed_apple_user_field_is_ignored(users_world: Any, user: str) -> None:
    """The sign-in does not depend on the unsigned field."""
    apple = Apple(users_world)
    await apple.set_up()

    assert (await apple.sign_in(user=user)).identity.profile.display_name == ""


@pytest.mark.parametrize("form", ["pem", "jwk"])
async def test_private_key_authenticates_the_client(users_world: Any, form: str) -> None:
    """RFC 7523: issuer and subject of the assertion are the client, the audience is the endpoint, and each is
    used once.
    """
    house = PresetHouse(users_world)
    private = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    text = pem_of(private) if form == "pem" else json.dumps(jwt.algorithms.RSAAlgorithm.to_jwk(private, as_dict=True))
    seen: list[str] = []

    def is_ours(fields: Mapping[str, str]) -> bool:
        claims = jwt.decode(
            fields["client_assertion"],
            private.public_key(),
            ["RS256"],
            audience=f"{ISSUER}/token",
            options={"verify_exp": False, "verify_iat": False},
        )
        seen.append(claims["jti"])
        fresh = 0 < claims["exp"] - house.provider.clock.now() <= 60
        return fresh and claims["iss"] == claims["sub"] == CLIENT_ID and "client_secret" not in fields

    house.provider.knows_client = is_ours
    await house.set_up("oidc", authMethod="private_key_jwt", clientSecret=text, keyId="k-1")
    await house.sign_in()
    await house.sign_in()

    assert len(set(seen)) == 2


async def test_public_client_has_no_secret(users_world: Any) -> None:
    """With the method none only PKCE protects the code; a stored secret is deleted."""
    house = PresetHouse(users_world)
    house.provider.knows_client = lambda fields: fields["client_id"] == CLIENT_ID and "client_secret" not in fields
    await house.set_up("oidc")
    await house.set_up("oidc", authMethod="none", clientSecret=None)
    await house.sign_in()
    (row,) = await users_world.rows("idps", orgId=users_world.org_id)

    assert row["sealedSecret"] == ""


@pytest.mark.parametrize(
    ("members", "error", "place"),
    [
        ({"preset": "oidc", "issuer": ""}, "USER-602", "issuer"),
        ({"preset": "gitlab-self-managed", "issuer": ""}, "USER-602", "issuer"),
        ({"preset": "oidc", "hostedDomains": ["corp.example"]}, "USER-626", "hostedDomains"),
        ({"preset": "google", "hostedDomains": ["Corp.example"]}, "USER-627", "hostedDomains[0]"),
        ({"preset": "google", "tenants": [TENANT]}, "USER-626", "tenants"),
        ({"preset": "entra", "tenants": ["common"]}, "USER-627", "tenants[0]"),
        ({"preset": "google", "teamId": TEAM}, "USER-626", "teamId"),
        ({"preset": "google", "keyId": KEY_ID}, "USER-626", "keyId"),
        ({"preset": "apple", "teamId": "short", "keyId": KEY_ID, "clientSecret": "p8"}, "USER-627", "teamId"),
        ({"preset": "apple", "teamId": TEAM, "clientSecret": "p8"}, "USER-627", "keyId"),
        ({"preset": "apple", "teamId": TEAM, "keyId": KEY_ID}, "USER-632", "clientSecret"),
        ({"preset": "apple", "teamId": TEAM, "keyId": KEY_ID, "clientSecret": "rsa"}, "USER-632", "clientSecret"),
        (
            {
                "preset": "apple",
                "teamId": TEAM,
                "keyId": KEY_ID,
                "clientSecret": "p8",
                "authMethod": "client_secret_basic",
            },
            "USER-625",
            "authMethod",
        ),
        ({"preset": "oidc", "authMethod": "private_key_jwt"}, "USER-632", "clientSecret"),
        ({"preset": "oidc", "authMethod": "private_key_jwt", "clientSecret": "small"}, "USER-632", "clientSecret"),
    ],
)
async def test_invalid_configuration_is_refused(
    users_world: Any, members: dict[str, Any], error: str, place: str
) -> None:
    """Each error names the path in the document (IP-03)."""
    keys: dict[str, Callable[[], ec.EllipticCurvePrivateKey | rsa.RSAPrivateKey]] = {
        "p8": partial(ec.generate_private_key, ec.SECP256R1()),
        "rsa": partial(rsa.generate_private_key, public_exponent=65537, key_size=2048),
        "small": partial(rsa.generate_private_key, public_exponent=65537, key_size=1024),
    }
    if generate := keys.get(members.get("clientSecret", "")):
        members = {**members, "clientSecret": pem_of(generate())}
    with pytest.raises(ServiceError) as refused:
        await PresetHouse(users_world).set_up(**members)

    assert refused.value.id == error
    assert refused.value.text.startswith(f"organizations[0].oidcIdps[0].{place}: ")


async def test_changed_secret_type_requires_the_secret(users_world: Any) -> None:
    """A stored text is not a key, and a key of one id is not that of another (MG-18)."""
    house = PresetHouse(users_world)
    await house.set_up("oidc")
    with pytest.raises(ServiceError) as refused:
        await house.set_up("oidc", authMethod="private_key_jwt", clientSecret=None)

    assert refused.value.id == "USER-608"


async def test_preset_endpoints_are_stored(users_world: Any) -> None:
    """The stored configuration is complete, whatever a later release's preset contains."""
    issuers = []
    for preset in ("google", "entra", "gitlab"):
        house = PresetHouse(users_world)
        house.idp_id = f"{preset}-{users_world.tag}"
        await house.set_up(preset, issuer="", name=preset)
        (row,) = await users_world.rows("idps", orgId=users_world.org_id, name=preset)
        issuers.append(row["config"]["issuer"])

    assert issuers == [
        "https://accounts.google.com",
        "https://login.microsoftonline.com/organizations/v2.0",
        "https://gitlab.com",
    ]
