"""Clients that identify themselves by a client-ID metadata document (decision 0095)."""

from __future__ import annotations

import json
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from jwt.algorithms import ECAlgorithm
from portico_contracts.users import (
    DESCRIBE_SCOPES,
    EXPORT,
    GET_APIS,
    GET_USED_GRANT_TYPES,
    AccessTokenType,
    AuthMethod,
    Consent,
    DescribeScopes,
    Export,
    GetApis,
    GetUsedGrantTypes,
)
from portico_oauth.client_id_urls import host_of_client_id
from portico_oauth.errors import ServiceError
from portico_runtime.http_client.outbound import Outbound
from portico_runtime.settings.sections.outbound import OutboundSection
from portico_users.applications.metadata_documents.fetched_documents import (
    FORGET_SECONDS,
    LONGEST,
    SHORTEST,
    ClientDocuments,
    Sought,
)

from .metadata_host import LOOPBACK, Host

pytestmark = pytest.mark.servers


async def test_document_describes_a_client(host: Host) -> None:
    """The client always requests consent and belongs to the project of the policy, and its tokens are for itself only."""
    client = await host.client()

    assert client
    assert (client.client_id, client.name, client.project_id) == (host.client_id, "Agent", host.project)
    assert client.redirect_uris == (host.callback, LOOPBACK)
    assert (client.auth_method, client.consent, client.audience) == (AuthMethod.NONE, Consent.ALWAYS, (host.client_id,))
    assert (client.response_types, client.grant_types) == (("code",), ("authorization_code",))
    assert (client.any_loopback_port, client.plain_oauth) == (True, True)
    assert client.access_token_type is AccessTokenType.JWT
    assert not client.management_access


async def test_untidy_document_is_used(host: Host) -> None:
    """Unknown members and grant types, invisible names and unusable redirect URIs are ignored."""
    uris = [host.callback, "https://other.example/cb", "javascript:alert(1)", 7, "agent:/cb", "com.example.agent:/cb"]
    document = host.document(client_name="Agent\u202e", redirect_uris=uris, grant_types=["refresh_token", "magic", 1])
    host.serve(
        {**document, "logo_uri": "https://10.0.0.1/", "response_types": 7, "x": {}}, media="application/cim+json"
    )
    client = await host.client()

    assert client
    assert client.name == f"app.{host.name}"
    assert client.redirect_uris == (host.callback,)
    assert client.grant_types == ("authorization_code", "refresh_token")
    assert host.world.providers.asked == [host.client_id]


@pytest.mark.parametrize(
    ("members", "served"),
    [
        pytest.param({"client_id": "https://app.example/oauth/client.json"}, {}, id="for another id"),
        pytest.param({"redirect_uris": ["https://evil.example/cb"]}, {}, id="redirect URI of another host"),
        pytest.param({"redirect_uris": []}, {}, id="no redirect URI"),
        pytest.param({"client_secret": "s"}, {}, id="secret"),
        pytest.param({"token_endpoint_auth_method": "client_secret_basic"}, {}, id="secret method"),
        pytest.param({"client_uri": "x" * 11_000}, {}, id="oversize"),
        pytest.param({}, {"status": 302}, id="redirect"),
        pytest.param({}, {"status": 201}, id="created"),
        pytest.param({}, {"status": 203}, id="changed by a proxy"),
        pytest.param({}, {"status": 206}, id="a part"),
        pytest.param({}, {"status": 404}, id="not found"),
        pytest.param({}, {"media": "text/html"}, id="page"),
        pytest.param({"token_endpoint_auth_method": "private_key_jwt"}, {}, id="no keys"),
        pytest.param(
            {"token_endpoint_auth_method": "private_key_jwt", "jwks_uri": "https://keys.example/"},
            {},
            id="foreign keys",
        ),
        pytest.param(
            {"token_endpoint_auth_method": "private_key_jwt", "jwks_uri": "https://[app"}, {}, id="malformed jwks_uri"
        ),
    ],
)
async def test_unusable_document_is_no_client(host: Host, members: dict[str, Any], served: dict[str, Any]) -> None:
    """An unusable document is fetched again each time, so that a repaired one counts at once."""
    host.serve(host.document(**members), **served)
    unusable = await host.client()
    rows = await host.world.rows("clientDocuments", _id=host.client_id)
    host.serve(host.document())

    assert (unusable, rows) == (None, [])
    assert await host.client()
    assert host.fetched == 2


async def test_private_addresses_are_not_requested(host: Host) -> None:
    """The name resolves to an address of the installation: nothing is connected to (SSRF, IP-03)."""
    resolved: list[str] = []

    async def resolve(name: str, _port: int) -> list[str]:
        resolved.append(name)
        return ["169.254.169.254"]

    outbound = Outbound(OutboundSection(), resolve=resolve)
    documents = ClientDocuments(host.world.parts.mongo.database, outbound, host.world.clock)

    for client_id in (host.client_id, "https://127.0.0.1/client.json", "https://192.88.99.1/client.json"):
        assert (await documents.find(Sought(client_id, host.name))).document is None
    assert resolved == [f"app.{host.name}"]


async def test_only_hosts_of_the_policy_are_requested(users_world: Any) -> None:
    """Off by default; a host includes its subdomains, and the policy of another organization's project has no effect."""
    host = Host(users_world)
    host.serve(host.document())
    other = {"hosts": [f"other-{host.name}"], "projectId": host.project}
    found = []
    for policy in ({"hosts": [], "projectId": ""}, other, {"projectId": "portico-console"}, {}):
        await host.allow(**policy)
        found.append(await host.client() is not None)
    offered = (await users_world.call(GET_USED_GRANT_TYPES, GetUsedGrantTypes(grant_types=()))).client_metadata

    assert found == [False, False, False, True]
    assert offered
    assert host.fetched == 1


async def test_instance_can_allow_hosts(users_world: Any) -> None:
    host = Host(users_world)
    host.serve(host.document())
    await host.allow(hosts=[], projectId="")
    policy = {"hosts": [f"app.{host.name}"], "projectId": host.project}
    await users_world.apply_document({"clientMetadataPolicy": policy})
    allowed = await host.client()
    await users_world.apply_document({"clientMetadataPolicy": {}})

    assert allowed
    assert await host.client() is None


@pytest.mark.parametrize(
    ("cache", "seconds"),
    [("", 3_600), ("max-age=1", SHORTEST), ("public, max-age=7200", 7_200), ("max-age=999999999", LONGEST)],
)
async def test_document_is_cached(host: Host, cache: str, seconds: float) -> None:
    """For the max-age of the response, from five minutes to a day."""
    host.serve(host.document(), cache=cache)
    requests = []
    for step in (0, seconds - 1, 1):
        host.world.clock.tick(step)
        await host.client()
        requests.append(host.fetched)

    assert requests == [1, 1, 2]


async def test_unavailable_host_keeps_its_document_for_a_day(host: Host) -> None:
    """Each request tries it again, and a withdrawn document is not used again."""
    await host.client()
    del host.world.providers.answers[host.client_id]
    host.world.clock.tick(3_600)
    during = await host.client()
    again = await host.client()
    host.world.clock.tick(LONGEST)
    late = await host.client()
    host.serve(host.document())
    back = await host.client()
    host.serve({}, status=404)
    host.world.clock.tick(3_600)

    assert [one is not None for one in (during, again, late, back)] == [True, True, False, True]
    assert await host.client() is None
    assert host.fetched == 6


@pytest.mark.parametrize("length", [1, 2_000], ids=["short", "oversize"])
@pytest.mark.parametrize("last", [200, 404])
async def test_failing_host_keeps_its_document(host: Host, last: int, length: int) -> None:
    """An error page of the host's proxy is no statement about the client, unlike one with another status."""
    await host.client()
    found = []
    for status in (502, 503, 429, last):
        host.serve(b"<html>" * length, status, media="text/html")
        host.world.clock.tick(3_600)
        found.append(await host.client() is not None)

    assert found == [True, True, True, False]


async def test_document_is_forgotten(host: Host) -> None:
    """After 90 days, or as soon as it is withdrawn, unless users allowed the application something (FD-27)."""
    await host.client()
    (fetched,) = await host.world.rows("clientDocuments", _id=host.client_id)
    host.serve({}, status=404)
    host.world.clock.tick(3_600)
    await host.client()
    withdrawn = await host.world.rows("clientDocuments", _id=host.client_id)
    host.serve(host.document())
    await host.allow_openid()
    host.serve({}, status=404)
    host.world.clock.tick(3_600)
    await host.client()
    (used,) = await host.world.rows("clientDocuments", _id=host.client_id)

    assert fetched["forgetAt"].timestamp() - fetched["at"] == FORGET_SECONDS
    assert withdrawn == []
    assert (used["document"], used["used"] > 0) == (None, True)


async def test_keys_are_fetched_from_the_same_host(host: Host) -> None:
    """A client can authenticate with private_key_jwt; keys without kid get their thumbprint."""
    public = json.loads(ECAlgorithm.to_jwk(ec.generate_private_key(ec.SECP256R1()).public_key()))
    uri = f"https://app.{host.name}/jwks"
    host.world.providers.show(uri, {"keys": [public | {"kid": "k1"}, public, {"kty": "oct", "k": "AAAA"}]})
    host.serve(host.document(token_endpoint_auth_method="private_key_jwt", jwks_uri=uri))
    client = await host.client()

    assert client
    assert client.auth_method is AuthMethod.PRIVATE_KEY_JWT
    assert [key.alg for key in client.keys] == ["ES256", "ES256"]
    assert client.keys[0].kid == "k1" != client.keys[1].kid


async def test_consent_stores_the_application(host: Host) -> None:
    """Nothing is stored until the first consent; then administrators can turn the application off."""
    await host.client()
    before = await host.world.rows("apps", clientId=host.client_id)
    first = await host.allow_openid()
    host.serve(host.document(client_name="Better agent"))
    host.world.clock.tick(3_600)
    second = await host.allow_openid()
    app = {"projectId": host.project, "id": first["_id"]}
    await host.world.parts.mongo.database["apps"].update_one({"_id": app["id"]}, {"$set": {"state": "inactive"}})

    assert before == []
    assert (first["name"], second["name"], first["_id"]) == ("Agent", "Better agent", second["_id"])
    assert await host.client() is None
    with pytest.raises(ServiceError) as refused:
        await host.allow_openid()
    assert refused.value.id == "USER-897"


async def test_client_ids_differ_in_case(host: Host) -> None:
    """The path of a URL is case-sensitive, so these are two clients (RFC 3986 §6.2.2.1)."""
    first = await host.allow_openid()
    host.client_id = host.client_id.replace("client.json", "Client.json")
    host.serve(host.document())
    second = await host.allow_openid()

    assert first["_id"] != second["_id"]


async def test_client_requests_scopes_of_its_project(host: Host) -> None:
    """The page names its host instead of an organization, before and after it is stored."""
    asked = DescribeScopes(client_id=host.client_id, scopes=("orders.read",))
    described = [await host.world.call(DESCRIBE_SCOPES, asked)]
    apis = (await host.world.call(GET_APIS, GetApis(client_id=host.client_id))).apis
    await host.allow_openid()
    described.append(await host.world.call(DESCRIBE_SCOPES, asked))

    assert [(one.org_name, one.scopes[0].title) for one in described] == [(f"app.{host.name}", "Read orders")] * 2
    assert [api.scopes for api in apis] == [("orders.read",)]


async def test_documents_do_not_contain_the_application(host: Host) -> None:
    """An export omits it, and applying with prune does not remove it."""
    org_id = (await host.allow_openid())["orgId"]
    (exported,) = (await host.world.call(EXPORT, Export(org_id=org_id))).document.organizations
    accepted = {"hosts": [host.name], "projectId": host.project}
    pruned = host.world.only_apps() | {"humans": [host.world.human(id=host.user)], "clientMetadataPolicy": accepted}
    await host.world.apply_document({"organizations": [pruned]}, prune=True)

    assert [app.client_id for project in exported.projects for app in project.oidc_apps or ()] == []
    assert exported.client_metadata_policy.hosts == (host.name,)
    assert await host.client()


async def test_registered_application_has_priority(host: Host) -> None:
    registered = host.world.app(clientId=host.client_id)
    await host.world.apply(host.world.only_apps(oidc=[registered]))
    client = await host.client()

    assert client
    assert client.redirect_uris == ("https://shop.example/cb",)
    assert host.fetched == 0


@pytest.mark.parametrize(
    "client_id",
    [
        "http://app.example/c",
        "https://app.example",
        "https://app.example/c#f",
        "https://u@app.example/c",
        "https://app.example/a/../c",
        "https://app.example/%2e%2e/c",
        "https://app.example:99999/c",
        "https://app.example/c d",
        "shop",
    ],
)
def test_other_client_ids_are_no_document_urls(client_id: str) -> None:
    """Only https URLs with a path, without fragment, user and dot segments (section 3 of the draft)."""
    assert host_of_client_id(client_id) == ""
