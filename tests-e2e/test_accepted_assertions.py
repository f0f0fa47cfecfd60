"""A company's identity provider lets an application use an API, through the gateway (decision 0157)."""

from __future__ import annotations

import asyncio
import json
import secrets
import time
from collections.abc import Mapping
from typing import Any, Final

import httpx
from portico_contracts.apply import (
    AcceptedAssertions,
    ApiApp,
    ApiScope,
    AssertionRule,
    Document,
    Email,
    EndUser,
    IdpLink,
    OidcApp,
    OidcIdp,
    Organization,
    Profile,
    Project,
)
from portico_contracts.http import DISCOVERY, INTROSPECT, TOKEN
from portico_harness.eventually import HANGS, eventually
from portico_harness.plain_http import plain_http
from portico_oauth.grant_types import JWT_BEARER
from portico_oauth.jose import SigningKey
from portico_scenarios.metadata_host import MetadataHost
from portico_scenarios.world import World

SUBJECT: Final = "U019488227"
RESOURCE: Final = "https://files.example/{}"


class Company:
    """An organization with a provider whose keys users fetches, a user of it, an application and an API."""

    def __init__(self, world: World, host: MetadataHost) -> None:
        self.world, self.host = world, host
        self.tag = secrets.token_hex(4)
        self.path = f"/acme-{self.tag}"
        self.issuer = f"{host.url}{self.path}"
        self.client, self.api, self.secret = f"planner-{self.tag}", f"files-{self.tag}", secrets.token_hex(20)
        self.resource = RESOURCE.format(self.tag)
        self.keys: list[SigningKey] = []
        discovery = {"issuer": self.issuer, "jwks_uri": f"{self.issuer}/jwks"}
        host.documents[f"{self.path}/.well-known/openid-configuration"] = json.dumps(discovery).encode()
        self.rotate("first")

    def rotate(self, kid: str) -> None:
        """Signs with a new key from now on; only the new one and the last are published."""
        self.keys = [*self.keys[-1:], SigningKey.generate(kid, "RS256")]
        published = {"keys": [key.public_jwk() for key in self.keys]}
        self.host.documents[f"{self.path}/jwks"] = json.dumps(published).encode()

    async def apply(self, *scopes: str) -> None:
        """With a rule for these scopes; without any, no assertion is accepted."""
        rule = AssertionRule(client_id=self.client, resource=self.resource, scopes=scopes)
        provider = OidcIdp(
            name="Acme",
            issuer=self.issuer,
            client_id="portico",
            client_secret="secret",
            accepted_assertions=AcceptedAssertions(rules=(rule,) if scopes else ()),
        )
        api = ApiApp(
            name="Files",
            client_id=self.api,
            client_secret=self.secret,
            resources=(self.resource,),
            scopes=(ApiScope(scope="files.read"), ApiScope(scope="files.write")),
        )
        planner = OidcApp(
            name="Planner",
            client_id=self.client,
            client_secret=self.secret,
            redirect_uris=("https://planner.example/cb",),
        )
        user = EndUser(
            id=f"ada-{self.tag}",
            username=f"ada-{self.tag}",
            profile=Profile(first_name="Ada", last_name="Byron"),
            email=Email(email=f"ada-{self.tag}@mail.example", is_verified=True),
            idp_links=(IdpLink(idp="Acme", user_id=SUBJECT, user_name="ada"),),
        )
        org = Organization(
            id=f"org-{self.tag}",
            name=self.tag,
            oidc_idps=(provider,),
            projects=(Project(id=f"p-{self.tag}", name="files", api_apps=(api,), oidc_apps=(planner,)),),
            humans=(user,),
        )
        await self.world.stack.apply(Document(organizations=(org,)))

    def assertion(self, **changes: Any) -> str:
        now = int(time.time())
        claims = {
            "jti": secrets.token_hex(16),
            "iss": self.issuer,
            "sub": SUBJECT,
            "aud": self.world.issuer,
            "client_id": self.client,
            "iat": now,
            "exp": now + 300,
            "resource": self.resource,
            "scope": "files.read files.write",
            **changes,
        }
        return self.keys[-1].sign(json.dumps(claims).encode(), typ="oauth-id-jag+jwt")

    async def ask(self, text: str) -> httpx.Response:
        return await self._post(TOKEN, {"grant_type": JWT_BEARER, "assertion": text}, self.client)

    async def introspect(self, answer: httpx.Response) -> dict[str, Any]:
        found: dict[str, Any] = (
            await self._post(INTROSPECT, {"token": answer.json()["access_token"]}, self.api)
        ).json()
        return found

    async def _post(self, path: str, form: Mapping[str, str], client_id: str) -> httpx.Response:
        async with plain_http() as http:
            return await http.post(f"{self.world.issuer}{path}", data=form, auth=(client_id, self.secret))


async def test_an_assertion_of_a_company_opens_an_api(world: World, metadata_host: MetadataHost) -> None:
    """The token is for the linked user and that API; a rotated key works at once; wrong assertions are refused alike;
    200 uses of one are one; metadata shows the profile; and the end of the rule ends live tokens within seconds.
    """
    company = Company(world, metadata_host)
    await company.apply("files.read")

    opened = await company.ask(company.assertion())
    active = await company.introspect(opened)
    company.rotate("second")
    rotated = await company.ask(company.assertion())
    once = company.assertion()
    uses = await asyncio.gather(*(company.ask(once) for _ in range(200)))
    wrong = [
        await company.ask(company.assertion(**changes))
        for changes in (
            {"sub": "U2"},
            {"aud": "https://other.example"},
            {"client_id": company.api},
            {"iss": world.issuer},
        )
    ]

    assert (opened.status_code, opened.json()["scope"]) == (200, "files.read"), opened.text
    assert (active["sub"], active["client_id"]) == (f"ada-{company.tag}", company.client)
    assert set(active["aud"]) == {company.resource, company.api}
    assert rotated.status_code == 200, rotated.text
    assert sorted(one.status_code for one in uses) == [200] + [400] * 199
    assert {(one.status_code, one.content) for one in wrong} == {(400, wrong[0].content)}
    await eventually(lambda: _profiles(world), ["urn:ietf:params:oauth:grant-profile:id-jag"].__eq__, HANGS)
    await company.apply()
    await eventually(lambda: company.introspect(rotated), {"active": False}.__eq__, HANGS)
    assert (await company.ask(company.assertion())).content == wrong[0].content


async def _profiles(world: World) -> object:
    found = await world.http.get(f"{world.issuer}{DISCOVERY}")
    return found.json().get("authorization_grant_profiles_supported")
