"""Pods and CI jobs get tokens with the tokens that they have, through the gateway (decision 0152)."""

from __future__ import annotations

import json
import secrets
import time
from typing import Any, Final

import httpx
from portico_contracts.http import TOKEN
from portico_harness.eventually import eventually
from portico_harness.plain_http import plain_http
from portico_oauth.jose import SigningKey
from portico_scenarios.administrator import Administrator
from portico_scenarios.metadata_host import MetadataHost
from portico_scenarios.world import World

ASSERTION_TYPE: Final = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"
JWT_BEARER: Final = "urn:ietf:params:oauth:grant-type:jwt-bearer"
OF: Final = "portico.management.v1.ServiceUserService"
SUBJECT: Final = "repo:acme/shop:ref:refs/heads/main"


class CiServer:
    """An issuer whose discovery document and keys users fetches."""

    def __init__(self, host: MetadataHost, audience: str) -> None:
        self.host, self.audience = host, audience
        self.path = f"/ci-{secrets.token_hex(4)}"
        self.issuer = f"{host.url}{self.path}"
        self.keys: list[SigningKey] = []
        discovery = {"issuer": self.issuer, "jwks_uri": f"{self.issuer}/jwks"}
        host.documents[f"{self.path}/.well-known/openid-configuration"] = json.dumps(discovery).encode()

    def rotate(self, kid: str) -> None:
        """Signs with a new key from now on; only the new one and the last are published."""
        self.keys = [*self.keys[-1:], SigningKey.generate(kid, "RS256")]
        published = {"keys": [key.public_jwk() for key in self.keys]}
        self.host.documents[f"{self.path}/jwks"] = json.dumps(published).encode()

    def token(self, **changes: Any) -> str:
        now = int(time.time())
        claims = {"iss": self.issuer, "sub": SUBJECT, "aud": self.audience, "iat": now, "exp": now + 300, **changes}
        return self.keys[-1].sign(json.dumps(claims).encode())


async def ask(world: World, token: str, client_id: str, **form: str) -> httpx.Response:
    asked = {
        "grant_type": "client_credentials",
        "client_id": client_id,
        "client_assertion_type": ASSERTION_TYPE,
        "client_assertion": token,
        "scope": "openid",
    }
    async with plain_http() as http:
        return await http.post(f"{world.issuer}{TOKEN}", data={**asked, **form})


async def robot_of(admin: Administrator, ci: CiServer) -> str:
    body = {"userName": f"robot-{secrets.token_hex(4)}", "name": "Robot"}
    added = await admin.json(f"{OF}.AddMachineUser", body, path="/management/v1/users/machine")
    user_id: str = added.body["userId"]
    condition = {"claim": "sub", "value": "repo:acme/shop:", "match": "CONDITION_MATCH_PREFIX"}
    trusted = {"trustedWorkloads": [{"name": "ci", "issuer": ci.issuer, "conditions": [condition]}]}
    saved = await admin.json(
        f"{OF}.SetMachineTrustedWorkloads", trusted, path=f"/management/v1/users/{user_id}/trusted_workloads"
    )
    assert saved.code == 0, saved.body
    return user_id


async def test_a_job_needs_no_secret(world: World, admin: Administrator, metadata_host: MetadataHost) -> None:
    """Its token works as often as it is sent, by both grants; after a rotation the first token of the new key works;
    another repository is refused, and the page of the service user shows why.
    """
    ci = CiServer(metadata_host, world.issuer)
    ci.rotate("first")
    robot = await robot_of(admin, ci)
    token = ci.token()

    answers = [await ask(world, token, robot) for _ in range(2)]
    async with plain_http() as http:
        form = {"grant_type": JWT_BEARER, "assertion": token, "client_id": robot, "scope": "openid"}
        answers.append(await http.post(f"{world.issuer}{TOKEN}", data=form))
    ci.rotate("second")
    answers.append(await ask(world, ci.token(), robot))
    refused = await ask(world, ci.token(sub="repo:evil/shop:ref:refs/heads/main"), robot)
    unknown = await ask(world, ci.token(), "unknown")

    assert [one.status_code for one in answers] == [200] * 4, [one.text for one in answers]
    assert (refused.status_code, refused.json()["error"]) == (401, "invalid_client")
    assert refused.content == unknown.content
    await eventually(
        lambda: _last_refused(admin, robot), lambda claims: "sub=repo:evil/shop:ref:refs/heads/main" in claims
    )
    await eventually(lambda: _last_use(admin, robot), ["ci"].__eq__)


async def _read(admin: Administrator, user_id: str) -> dict[str, Any]:
    path = f"/management/v1/users/{user_id}/trusted_workloads"
    return (await admin.json(f"{OF}.GetMachineTrustedWorkloads", {}, path=path)).body


async def _last_refused(admin: Administrator, user_id: str) -> list[str]:
    found = (await _read(admin, user_id)).get("lastRefused", {})
    assert not found or found["wanted"] == ["sub=repo:acme/shop:\u2026"]
    claims: list[str] = found.get("claims", [])
    return claims


async def _last_use(admin: Administrator, user_id: str) -> list[str]:
    return [use["name"] for use in (await _read(admin, user_id)).get("lastUses", [])]
