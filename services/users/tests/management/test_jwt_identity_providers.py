"""Updating JWT identity providers (MG-01, MG-04, MG-14, MG-18, IP-03, IP-08)."""

from __future__ import annotations

from typing import Any

import pytest
from portico_fakes.management_api import ApiResponse, call_as, message_of

pytestmark = pytest.mark.servers

OF = "portico.management.v1.IDPService"
UPDATE = f"{OF}.UpdateOrgIDPJWTConfig"
CONFIG = {
    "jwtEndpoint": "https://jwt.example/login",
    "issuer": "https://jwt.example",
    "keysEndpoint": "https://jwt.example/keys",
    "headerName": "x-jwt",
}
OTHER = {
    "jwtEndpoint": "https://other.example/login",
    "issuer": "urn:other",
    "keysEndpoint": "https://other.example/keys",
    "headerName": "x-other",
}


async def _add(managed: Any, *, by: str = "owner", **members: Any) -> str:
    body = {"name": f"jwt {managed.tag}", **CONFIG, **members}
    response = await call_as(managed, f"{OF}.AddOrgJWTIDP", body, by=by)
    assert response.code == 0, response.body
    return str(response.body["idpId"])


async def _update(managed: Any, idp_id: str, body: Any, *, by: str = "owner", **more: Any) -> ApiResponse:
    path = f"/management/v1/idps/{idp_id}/jwt_config"
    return await call_as(managed, UPDATE, body, by=by, path=path, **more)


async def _read(managed: Any, idp_id: str, *, by: str = "owner") -> ApiResponse:
    path = f"/management/v1/idps/{idp_id}"
    return await call_as(managed, f"{OF}.GetOrgIDPByID", {}, by=by, path=path)


async def test_all_four_fields_are_replaced(managed: Any) -> None:
    """The new values are read back; the response has sequence, times and owner."""
    idp_id = await _add(managed, autoRegister=True)
    created = (await _read(managed, idp_id)).body["idp"]
    managed.users.clock.tick(60)
    response = await _update(managed, idp_id, OTHER)
    read = (await _read(managed, idp_id)).body["idp"]

    assert response.code == 0, response.body
    assert set(response.body["details"]) == {"sequence", "creationDate", "changeDate", "resourceOwner"}
    assert response.body["details"]["sequence"] == "2"
    assert response.body["details"]["creationDate"] == created["details"]["creationDate"]
    assert response.body["details"]["changeDate"] > response.body["details"]["creationDate"]
    assert response.body["details"]["resourceOwner"] == managed.org_id
    assert created["jwtConfig"] == CONFIG
    assert read["jwtConfig"] == OTHER
    assert (read["state"], read["owner"], read["autoRegister"]) == ("IDP_STATE_ACTIVE", "IDP_OWNER_TYPE_ORG", True)


@pytest.mark.parametrize("header", [{}, {"headerName": ""}])
async def test_empty_header_name_means_authorization(managed: Any, header: dict[str, str]) -> None:
    """An empty name is stored as such and read as the default."""
    idp_id = await _add(managed)
    response = await _update(managed, idp_id, {name: CONFIG[name] for name in CONFIG if name != "headerName"} | header)
    (row,) = await managed.users.rows("idps", _id=idp_id)

    assert response.code == 0, response.body
    assert row["config"]["headerName"] == ""
    assert (await _read(managed, idp_id)).body["idp"]["jwtConfig"]["headerName"] == "authorization"


async def test_update_without_a_change_is_refused(managed: Any) -> None:
    """The update gives code 9, and the sequence stays."""
    idp_id = await _add(managed)
    response = await _update(managed, idp_id, CONFIG)

    assert response.code == 9
    assert (await _read(managed, idp_id)).body["idp"]["details"]["sequence"] == "1"


@pytest.mark.parametrize("member", ["jwtEndpoint", "issuer", "keysEndpoint", "headerName"])
@pytest.mark.parametrize("length", [0, 1, 200, 201])
async def test_limits_count_characters(managed: Any, member: str, length: int) -> None:
    """Required fields have 1 to 200 characters, headerName 0 to 200; errors have the field and nothing changes."""
    start = "https://a.example/" if member.endswith("Endpoint") and length >= 200 else ""
    idp_id = await _add(managed)
    response = await _update(managed, idp_id, CONFIG | {member: start + "x" * (length - len(start))})
    fits = 0 < length <= 200 or (length == 0 and member == "headerName")
    is_address = length == 200 or not member.endswith("Endpoint")

    assert response.code == (0 if fits and is_address else 3), response.body
    assert response.code == 0 or response.fields == [member]
    assert fits or response.error_code == "USER-303"


@pytest.mark.parametrize(
    "name", ["a\r\nb", "a:b", "a b", "a\x00b", "ä", "Host", "Cookie", "Content-Length", "Transfer-Encoding", "TE"]
)
async def test_reserved_header_name_is_refused(managed: Any, name: str) -> None:
    """Names must be tokens of RFC 9110 that neither HTTP nor the gateway uses (IP-08)."""
    idp_id = await _add(managed)
    response = await _update(managed, idp_id, CONFIG | {"headerName": name})

    assert (response.code, response.fields) == (3, ["headerName"])
    assert (await _read(managed, idp_id)).body["idp"]["jwtConfig"] == CONFIG


@pytest.mark.parametrize(
    "url",
    [
        "http://jwt.example/keys",
        "ftp://jwt.example/keys",
        "file:///etc/passwd",
        "data:application/json,{}",
        "https://user:pass@jwt.example/keys",
        "https://127.0.0.1/keys",
        "https://2130706433/keys",
        "https://0x7f.1/keys",
        "https://017700000001/keys",
        "https://10.0.0.1/keys",
        "https://169.254.169.254/latest",
        "https://[::1]/keys",
        "https://[::ffff:10.0.0.1]/keys",
        "jwt.example/keys",
    ],
)
async def test_keys_are_only_requested_from_public_addresses(managed: Any, url: str) -> None:
    """Other schemes and private IP addresses are refused without a request, and nothing is stored (IP-03)."""
    idp_id = await _add(managed)
    response = await _update(managed, idp_id, CONFIG | {"keysEndpoint": url})

    assert (response.code, response.fields) == (3, ["keysEndpoint"])
    assert (await _read(managed, idp_id)).body["idp"]["details"]["sequence"] == "1"


@pytest.mark.parametrize("url", ["http://jwt.example/", "javascript:alert(1)", "https://a@jwt.example/", "//x/"])
async def test_jwt_endpoint_must_be_https(managed: Any, url: str) -> None:
    """`jwtEndpoint` is requested only by browsers, so it may be private, but must be https."""
    idp_id = await _add(managed)
    refused = await _update(managed, idp_id, CONFIG | {"jwtEndpoint": url})
    private = await _update(managed, idp_id, CONFIG | {"jwtEndpoint": "https://10.0.0.1/login"})

    assert (refused.code, refused.fields) == (3, ["jwtEndpoint"])
    assert private.code == 0, private.body


async def test_provider_of_another_org_counts_as_unknown(managed: Any) -> None:
    """With or without a header the update gives code 5 and changes nothing (MG-01)."""
    foreign = await _add(managed, by="foreign")
    for headers in ({}, {"x-service-orgid": managed.org_id}, {"x-service-orgid": ""}):
        response = await _update(managed, foreign, OTHER, headers=headers)
        unknown = await _update(managed, "nobody", OTHER, headers=headers)
        assert response == unknown
        assert response.code == 5
    header = await _update(managed, foreign, OTHER, headers={"x-service-orgid": managed.other_org_id})
    nowhere = await _update(managed, foreign, OTHER, headers={"x-service-orgid": "nobody"})

    assert header == nowhere
    assert header.code == 7
    assert (await _read(managed, foreign, by="foreign")).body["idp"]["details"]["sequence"] == "1"


async def test_header_selects_the_organization(managed: Any) -> None:
    """Callers with instance permissions select the organization by the header; the default is their own."""
    foreign = await _add(managed, by="foreign")
    without = await _update(managed, foreign, OTHER, by="iam")
    with_it = await _update(managed, foreign, OTHER, by="iam", headers={"x-service-orgid": managed.other_org_id})

    assert without.code == 5
    assert with_it.body["details"]["resourceOwner"] == managed.other_org_id


async def test_operation_is_marked_as_deprecated(managed: Any) -> None:
    """The response has Deprecation and Link, without a Sunset date."""
    idp_id = await _add(managed)
    headers = {"Authorization": f"Bearer {managed.tokens['owner']}"}
    answer = await managed.api.http.put(f"/management/v1/idps/{idp_id}/jwt_config", json=OTHER, headers=headers)

    assert answer.status_code == 200
    assert answer.headers["Deprecation"].startswith("@")
    assert 'rel="deprecation"' in answer.headers["Link"]
    assert "Sunset" not in answer.headers


async def test_every_protocol_updates_alike(managed: Any) -> None:
    """Connect and gRPC-web update providers as JSON does."""
    idp_id, token = await _add(managed), managed.tokens["owner"]
    by_connect = await managed.api.connect(UPDATE, message_of(UPDATE, {"idpId": idp_id, **OTHER}), token=token)
    by_web = await managed.api.grpc_web(UPDATE, message_of(UPDATE, {"idpId": idp_id, **CONFIG}), token=token)
    again = await managed.api.grpc_web(UPDATE, message_of(UPDATE, {"idpId": idp_id, **CONFIG}), token=token)

    assert (by_connect.body["details"]["sequence"], by_web.body["details"]["sequence"]) == ("2", "3")
    assert again.code == 9


async def test_unknown_members_are_refused(managed: Any) -> None:
    """Unknown members are refused instead of being stored (MG-05)."""
    idp_id = await _add(managed)
    response = await _update(managed, idp_id, OTHER | {"resourceOwner": "me", "sequence": "9", "__proto__": {}})

    assert response.code == 3
    assert set(response.fields) == {"resourceOwner", "sequence", "__proto__"}


async def test_removed_provider_is_not_found(managed: Any) -> None:
    """All operations give code 5 after the removal, and the name is free again."""
    idp_id, token = await _add(managed), managed.tokens["owner"]
    path = f"/management/v1/idps/{idp_id}"
    removed = await managed.api.json(f"{OF}.RemoveOrgIDP", {}, token=token, path=path)

    assert removed.code == 0, removed.body
    assert (await _read(managed, idp_id)).code == 5
    assert (await _update(managed, idp_id, OTHER)).code == 5
    assert await _add(managed) != idp_id


async def test_provider_is_replaced_with_its_options(managed: Any) -> None:
    """In the replacement of the deprecated update, absent options stay and everything else is replaced (MG-18)."""
    options = {"isLinkingAllowed": True, "isAutoUpdate": True}
    body = {"name": f"generic {managed.tag}", **CONFIG, "providerOptions": options}
    token, base = managed.tokens["owner"], "/management/v1/idps/generic_jwt"
    added = await managed.api.json(f"{OF}.AddGenericJWTProvider", body, token=token)
    assert added.code == 0, added.body
    changed = {"name": f"other {managed.tag}", **OTHER}
    name, path = f"{OF}.UpdateGenericJWTProvider", f"{base}/{added.body['id']}"
    response = await managed.api.json(name, changed, token=token, path=path)
    again = await managed.api.json(name, changed, token=token, path=path)
    read = (await _read(managed, added.body["id"])).body["idp"]

    assert response.code == 0
    assert again.error_code == "USER-702"
    assert read["name"] == f"other {managed.tag}"
    assert read["providerOptions"] == options
    assert read["jwtConfig"]["issuer"] == OTHER["issuer"]


async def test_options_default_to_linking_and_creation(managed: Any) -> None:
    """The defaults equal those of providers added in the older API; providers of another kind are not changed."""
    body = {"name": f"plain {managed.tag}", **CONFIG}
    token = managed.tokens["owner"]
    added = await managed.api.json(f"{OF}.AddGenericJWTProvider", body, token=token)
    read = (await _read(managed, added.body["id"])).body["idp"]
    oidc = {"name": f"oidc {managed.tag}", "issuer": "https://o.example", "clientId": "portico", "clientSecret": "s"}
    other = await managed.api.json(f"{OF}.AddOrgOIDCIDP", oidc, token=token)
    path = f"/management/v1/idps/generic_jwt/{other.body['idpId']}"
    refused = await managed.api.json(f"{OF}.UpdateGenericJWTProvider", body, token=token, path=path)

    assert read["providerOptions"] == {"isLinkingAllowed": True, "isCreationAllowed": True}
    assert refused.error_code == "USER-607"
