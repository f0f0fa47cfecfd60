"""DPoP of applications and service users (decision 0147)."""

from __future__ import annotations

import base64
import json
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ec import EllipticCurvePrivateKey
from cryptography.hazmat.primitives.serialization import load_pem_private_key
from portico_contracts.users import GET_SERVICE_USER, GET_USED_GRANT_TYPES, Dpop, GetServiceUser, GetUsedGrantTypes
from portico_fakes.management_api import call_as

from .own_apps import CODE, on_apps

MACHINES = "portico.management.v1.ServiceUserService"

pytestmark = pytest.mark.servers

BOTH = {
    "responseTypes": ["OIDC_RESPONSE_TYPE_CODE", "OIDC_RESPONSE_TYPE_ID_TOKEN_TOKEN"],
    "grantTypes": ["OIDC_GRANT_TYPE_AUTHORIZATION_CODE", "OIDC_GRANT_TYPE_IMPLICIT"],
}
PROFILE = {"securityProfile": "SECURITY_PROFILE_FAPI2"}
ALLOWED: dict[str, Any] = {
    "authMethodType": "OIDC_AUTH_METHOD_TYPE_PRIVATE_KEY_JWT",
    "clientAssertionAudience": "CLIENT_ASSERTION_AUDIENCE_ISSUER",
    "requirePushedAuthorizationRequests": True,
    "idTokenSignedResponseAlg": "ES256",
    "dpop": "DPOP_REQUIRED",
}


async def test_required_refuses_response_types_that_cannot_be_bound(managed: Any) -> None:
    """They are refused at save, and only there: allowed accepts them."""
    await managed.furnish("owner")
    refused = await on_apps(managed, "AddOIDCApp", "/oidc", name="both", **CODE | BOTH, dpop="DPOP_REQUIRED")
    stored = {}
    for name, members in (("allowed", BOTH), ("required", {})):
        dpop = f"DPOP_{name.upper()}"
        added = await on_apps(managed, "AddOIDCApp", "/oidc", name=name, **CODE | members, dpop=dpop)
        stored[name] = (await managed.users.client(added.body["clientId"])).dpop

    assert (refused.error_code, refused.fields) == ("USER-793", ["responseTypes[1]"])
    assert stored == {"allowed": Dpop.ALLOWED, "required": Dpop.REQUIRED}


async def test_discovery_learns_whether_an_application_uses_it(users_world: Any) -> None:
    async def apply(**members: Any) -> tuple[Dpop, bool]:
        await users_world.apply(users_world.only_apps(oidc=[users_world.app(**members)]))
        used = await users_world.call(GET_USED_GRANT_TYPES, GetUsedGrantTypes(grant_types=()))
        return (await users_world.client(f"shop-{users_world.tag}")).dpop, used.dpop

    assert await apply(dpop="required") == (Dpop.REQUIRED, True)
    assert (await apply())[0] is Dpop.OFF


async def test_nonces_are_a_setting_of_the_application(managed: Any) -> None:
    """Off by default, and unchanged by an SDK that does not know the field."""
    await managed.furnish("owner")
    added = await on_apps(managed, "AddOIDCApp", "/oidc", name="nonces", **CODE, dpop="DPOP_ALLOWED", dpopNonce=True)
    plain = await on_apps(managed, "AddOIDCApp", "/oidc", name="plain", **CODE, dpop="DPOP_ALLOWED")
    path = f"/{added.body['appId']}/oidc_config"
    await on_apps(managed, "UpdateOIDCAppConfig", path, **CODE, devMode=True)

    clients = [await managed.users.client(one.body["clientId"]) for one in (added, plain)]
    assert [client.dpop_nonce for client in clients] == [True, False]


async def test_service_user_keeps_it_where_a_change_omits_it(managed: Any) -> None:
    """An SDK that does not know the field must not turn it off."""
    await managed.furnish("owner")
    bot = {"userName": f"bound-robot-{managed.tag}", "name": "Robot", "dpop": "DPOP_REQUIRED"}
    added = await call_as(managed, f"{MACHINES}.AddMachineUser", bot, by="owner", path="/management/v1/users/machine")
    user_id = added.body["userId"]
    seen = []
    for members in ({}, {"dpop": "DPOP_OFF"}):
        path = f"/management/v1/users/{user_id}/machine"
        await call_as(managed, f"{MACHINES}.UpdateMachine", {"name": "Robot", **members}, by="owner", path=path)
        found = await managed.users.call(GET_SERVICE_USER, GetServiceUser(client_id=user_id))
        seen.append(found.service_user.dpop)

    assert seen == [Dpop.REQUIRED, Dpop.OFF]


async def test_security_profile_is_checked_as_a_whole(managed: Any) -> None:
    """Every field that the profile does not allow is named, and the error changes nothing."""
    await managed.furnish("owner")
    refused = await on_apps(managed, "AddOIDCApp", "/oidc", name="bank", **CODE, **PROFILE)
    added = await on_apps(managed, "AddOIDCApp", "/oidc", name="bank", **CODE, **PROFILE, **ALLOWED)

    assert (refused.error_code, set(refused.fields)) == ("USER-794", set(ALLOWED))
    assert (await managed.users.client(added.body["clientId"])).fapi2


async def test_key_file_of_the_security_profile_is_for_es256(managed: Any) -> None:
    """The profile refuses RS256; the file has the private key in PKCS #8, and the store the public one."""
    await managed.furnish("owner")
    added = await on_apps(managed, "AddOIDCApp", "/oidc", name="bank", **CODE, **PROFILE, **ALLOWED)
    made = await on_apps(managed, "AddAppKey", f"/{added.body['appId']}/keys", type="KEY_TYPE_JSON")
    file = json.loads(base64.b64decode(made.body["keyDetails"]))
    private = load_pem_private_key(file["key"].encode(), None)
    client = await managed.users.client(added.body["clientId"])

    assert isinstance(private, EllipticCurvePrivateKey)
    assert file["key"].startswith("-----BEGIN PRIVATE KEY-----")
    assert [(key.kid, key.alg) for key in client.keys] == [(file["keyId"], "ES256")]
