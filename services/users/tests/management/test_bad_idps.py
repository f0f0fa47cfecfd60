from __future__ import annotations

from typing import Any
from urllib.parse import quote

import pytest
from portico_fakes.management_api import call_as
from portico_oauth.errors import ServiceError

pytestmark = pytest.mark.servers

ORG, IAM = "portico.management.v1.IDPService", "portico.admin.v1.IDPService"
JWT = {
    "issuer": "https://jwt.example",
    "jwtEndpoint": "https://jwt.example/login",
    "keysEndpoint": "https://jwt.example/keys",
}
OIDC = {
    "issuer": "https://oidc.example",
    "clientId": "portico",
    "clientSecret": "a secret between two",
    "scopes": ["openid"],
}

BAD_JWT_IDPS: list[tuple[dict[str, Any], str, str]] = [
    ({"jwtEndpoint": "http://jwt.example/login"}, "USER-601", "jwtEndpoint"),
    ({"jwtEndpoint": "https://me@jwt.example/login"}, "USER-601", "jwtEndpoint"),
    ({"jwtEndpoint": "https://jwt.example/login#part"}, "USER-601", "jwtEndpoint"),
    ({"jwtEndpoint": "javascript:alert(1)"}, "USER-601", "jwtEndpoint"),
    ({"jwtEndpoint": "jwt.example"}, "USER-601", "jwtEndpoint"),
    ({"keysEndpoint": "http://jwt.example/keys"}, "USER-602", "keysEndpoint"),
    ({"keysEndpoint": "https://127.0.0.1/keys"}, "USER-602", "keysEndpoint"),
    ({"keysEndpoint": "https://[::1]/keys"}, "USER-602", "keysEndpoint"),
    ({"keysEndpoint": "https://me:pw@jwt.example/keys"}, "USER-602", "keysEndpoint"),
    ({"keysEndpoint": "file:///etc/passwd"}, "USER-602", "keysEndpoint"),
    ({"keysEndpoint": "keys"}, "USER-602", "keysEndpoint"),
    ({"headerName": "cookie"}, "USER-603", "headerName"),
    ({"headerName": "Host"}, "USER-603", "headerName"),
    ({"headerName": "transfer-encoding"}, "USER-603", "headerName"),
    ({"headerName": "x-forwarded-for"}, "USER-603", "headerName"),
    ({"headerName": "X-Portico-Jwt"}, "USER-603", "headerName"),
    ({"headerName": "x-original-token"}, "USER-603", "headerName"),
    ({"headerName": "x-rewrite-token"}, "USER-603", "headerName"),
    ({"headerName": "nats-token"}, "USER-603", "headerName"),
    ({"headerName": "X-Request-Id"}, "USER-603", "headerName"),
    ({"headerName": "x-real-ip"}, "USER-603", "headerName"),
    ({"headerName": "baggage"}, "USER-603", "headerName"),
    ({"headerName": "traceparent"}, "USER-603", "headerName"),
    ({"headerName": "x jwt"}, "USER-603", "headerName"),
    ({"headerName": "x-jwt:"}, "USER-603", "headerName"),
    ({"issuer": " https://jwt.example"}, "USER-604", "issuer"),
    ({"issuer": "https://jwt.example "}, "USER-604", "issuer"),
    ({"issuer": "jwt\x07example"}, "USER-604", "issuer"),
]
BAD_OIDC_IDPS: list[tuple[dict[str, Any], str, str]] = [
    ({"issuer": "http://oidc.example"}, "USER-602", "issuer"),
    ({"issuer": "https://127.0.0.1"}, "USER-602", "issuer"),
    ({"issuer": "https://10.0.0.1"}, "USER-602", "issuer"),
    ({"issuer": "https://192.168.0.1:8443"}, "USER-602", "issuer"),
    ({"issuer": "https://169.254.169.254"}, "USER-602", "issuer"),
    ({"issuer": "https://[fd00::1]"}, "USER-602", "issuer"),
    ({"issuer": "https://me@oidc.example"}, "USER-602", "issuer"),
    ({"issuer": "https://oidc.example?a=b"}, "USER-602", "issuer"),
    ({"issuer": "https://oidc.example#part"}, "USER-602", "issuer"),
    ({"issuer": "ftp://oidc.example"}, "USER-602", "issuer"),
    ({"issuer": "oidc.example"}, "USER-602", "issuer"),
    ({"issuer": "https://"}, "USER-602", "issuer"),
    ({"clientId": " portico"}, "USER-002", "clientId"),
    ({"clientId": "portico "}, "USER-002", "clientId"),
    ({"clientId": "por\x07tico"}, "USER-002", "clientId"),
    ({"scopes": ["open id"]}, "USER-605", "scopes[0]"),
    ({"scopes": ["openid", 'e"mail']}, "USER-605", "scopes[1]"),
    ({"scopes": ["openid", "email", "pro\\file"]}, "USER-605", "scopes[2]"),
    ({"scopes": ["öffentlich"]}, "USER-605", "scopes[0]"),
    ({"scopes": ["openid\x07"]}, "USER-605", "scopes[0]"),
]
BAD_NAMES = [" there", "there ", "the\x07re", " "]


async def _answered(managed: Any, service: str, method: str, path: str, body: Any) -> tuple[str, list[str]]:
    base, by = ("/management/v1/idps", "owner") if service == ORG else ("/admin/v1/idps", "iam")
    response = await call_as(managed, f"{service}.{method}", body, by=by, path=f"{base}/{path}")
    return response.error_code, response.fields


async def _by_api(managed: Any, kind: str, body: Any, place: str) -> list[tuple[str, list[str]]]:
    got = []
    for service, level, owner in ((ORG, "Org", "own"), (IAM, "", "iam")):
        known = f"{owner}-{kind.lower()}-owner-{managed.tag}"
        name = (f"Update{level}IDP", known, {"name": body["name"]})
        config = {member: value for member, value in body.items() if member != "name"}
        of_config = f"{known}/{kind.lower()}_config"
        for method, path, sent in (
            (f"Add{level}{kind}IDP", kind.lower(), body),
            (f"AddGeneric{kind}Provider", f"generic_{kind.lower()}", body),
            name if place == "name" else (f"Update{level}IDP{kind}Config", of_config, config),
            (f"UpdateGeneric{kind}Provider", f"generic_{kind.lower()}/{known}", body),
        ):
            got.append(await _answered(managed, service, method, path, sent))
    return got


async def _by_apply(managed: Any, kind: str, body: Any) -> list[tuple[str, list[str]]]:
    org = {"id": managed.org_id, "name": managed.org_id, "primaryDomain": managed.domain(managed.org_id)}
    known = {"id": f"own-{kind.lower()}-owner-{managed.tag}"}
    inner = f"{kind.lower()}Idps"
    got = []
    for document, path in (
        ({"organizations": [org | {inner: [body]}]}, f"organizations[0].{inner}[0]."),
        ({"organizations": [org | {inner: [body | known]}]}, f"organizations[0].{inner}[0]."),
        ({"organizations": [], inner: [body]}, f"{inner}[0]."),
    ):
        with pytest.raises(ServiceError) as refused:
            await managed.users.apply_document(document)
        place, _, _text = refused.value.text.partition(": ")
        got.append((refused.value.id, [place.removeprefix(path)]))
    return got


BAD_IDPS: list[tuple[str, dict[str, Any], str, str]] = [
    *(("JWT", JWT | bad, error_code, place) for bad, error_code, place in BAD_JWT_IDPS),
    *(("OIDC", OIDC | bad, error_code, place) for bad, error_code, place in BAD_OIDC_IDPS),
    *(("JWT", JWT | {"name": name}, "USER-002", "name") for name in BAD_NAMES),
    *(("OIDC", OIDC | {"name": name}, "USER-002", "name") for name in BAD_NAMES),
]


async def test_invalid_idp_gets_equal_errors_everywhere(managed: Any) -> None:
    """Added, changed or applied, in either API and for organization or instance, error id and path are equal
    (IP-03, IP-08).
    """
    await managed.furnish("owner")
    wrong = []
    for kind, config, error_code, place in BAD_IDPS:
        body = {"name": f"new {managed.tag}"} | config
        got = [*await _by_api(managed, kind, body, place), *await _by_apply(managed, kind, body)]
        if not got or any(one != (error_code, [place]) for one in got):
            wrong.append((kind, config, got))

    assert wrong == []


@pytest.mark.parametrize(
    ("id", "error_code"),
    [
        *((id, "USER-609") for id in ("a/b", "a#b", "a?b", "a%2Fb", "a\\b", "a b", "caf\u00e9", "a:b")),
        *((id, "USER-001") for id in ("..", "portico", "a\nb", "instance")),
    ],
)
async def test_id_of_a_new_provider_stands_in_its_redirect_uri(managed: Any, id: str, error_code: str) -> None:
    """Only characters that a URL never encodes, by the API and by documents; nothing is created."""
    await managed.furnish("owner")
    body = OIDC | {"name": f"new {managed.tag}", "id": id}
    by_api = await _answered(managed, ORG, "AddGenericOIDCProvider", "generic_oidc", body)
    org = {"id": managed.org_id, "name": managed.org_id, "primaryDomain": managed.domain(managed.org_id)}
    with pytest.raises(ServiceError) as refused:
        await managed.users.apply_document({"organizations": [org | {"oidcIdps": [body]}]})

    assert by_api == (error_code, ["id"])
    assert refused.value.id == error_code
    assert refused.value.text.startswith("organizations[0].oidcIdps[0].id: ")
    assert await managed.users.rows("idps", _id=id) == []


@pytest.mark.parametrize("tail", ["A-b_c.d~0", "x" * 191])
async def test_id_of_unreserved_characters_is_accepted(managed: Any, tail: str) -> None:
    """The API and documents accept the same ids."""
    await managed.furnish("owner")
    ids = [f"{managed.tag}{number}{tail}" for number in range(2)]
    by_api, by_document = ({**OIDC, "name": id, "id": id} for id in ids)
    method, path = f"{ORG}.AddGenericOIDCProvider", "/management/v1/idps/generic_oidc"
    added = await call_as(managed, method, by_api, path=path)
    org = {"id": managed.org_id, "name": managed.org_id, "primaryDomain": managed.domain(managed.org_id)}
    await managed.users.apply_document({"organizations": [org | {"oidcIdps": [by_document]}]})

    assert added.body["id"] == ids[0]
    assert len(await managed.users.rows("idps", _id={"$in": ids})) == 2


async def test_provider_of_an_older_release_keeps_its_id(managed: Any) -> None:
    """A provider whose id an older release accepted is still changed, by documents and by the API."""
    await managed.furnish("owner")
    id = f"corp/idp {managed.tag}"
    [row] = await managed.users.rows("idps", _id=f"own-oidc-owner-{managed.tag}")
    await managed.users.parts.mongo.database["idps"].insert_one(row | {"_id": id, "name": id, "nameKey": id})
    org = {"id": managed.org_id, "name": managed.org_id, "primaryDomain": managed.domain(managed.org_id)}
    body = OIDC | {"name": f"new {managed.tag}", "id": id}
    await managed.users.apply_document({"organizations": [org | {"oidcIdps": [body]}]})
    [applied] = await managed.users.rows("idps", _id=id)
    path = f"/management/v1/idps/{quote(id, safe='')}"
    by_api = await call_as(managed, f"{ORG}.UpdateOrgIDP", {"name": f"newer {managed.tag}"}, path=path)
    [changed] = await managed.users.rows("idps", _id=id)

    assert by_api.code == 0
    assert [applied["name"], changed["name"]] == [f"new {managed.tag}", f"newer {managed.tag}"]


async def test_secret_is_required_again_for_another_issuer(managed: Any) -> None:
    """Changing the issuer without sending the secret gives USER-608 with the path of the secret (MG-18)."""
    name, other = f"new {managed.tag}", OIDC | {"issuer": "https://other.example", "clientSecret": ""}
    added = await call_as(managed, f"{ORG}.AddGenericOIDCProvider", OIDC | {"name": name})
    org = {"id": managed.org_id, "name": managed.org_id, "primaryDomain": managed.domain(managed.org_id)}
    applied = {member: value for member, value in other.items() if member != "clientSecret"}
    with pytest.raises(ServiceError) as refused:
        await managed.users.apply(org | {"oidcIdps": [applied | {"name": name}]})
    got = [
        await _answered(managed, ORG, "UpdateOrgIDPOIDCConfig", f"{added.body['id']}/oidc_config", other),
        await _answered(
            managed, ORG, "UpdateGenericOIDCProvider", f"generic_oidc/{added.body['id']}", other | {"name": name}
        ),
    ]

    assert got == [("USER-608", ["clientSecret"])] * 2
    assert (refused.value.id, refused.value.text.partition(":")[0]) == (
        "USER-608",
        "organizations[0].oidcIdps[0].clientSecret",
    )
