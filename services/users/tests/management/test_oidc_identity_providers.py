"""OpenID Connect providers, lists and states of identity providers (MG-05, MG-18, MG-22, IP-03)."""

from __future__ import annotations

from typing import Any

import pytest
from portico_fakes.management_api import ApiResponse, call_as
from portico_oauth.master_keys import UnsealingFailed
from portico_users.identity_providers.secrets import SecretSealer

pytestmark = pytest.mark.servers

OF = "portico.management.v1.IDPService"
IAM = "portico.admin.v1.IDPService"
SECRET = "what only the two of us know"
CONFIG = {
    "issuer": "https://oidc.example",
    "clientId": "portico",
    "scopes": ["openid", "email"],
    "usernameMapping": "OIDC_MAPPING_FIELD_EMAIL",
}


async def _call(managed: Any, name: str, body: Any, path: str = "", *, by: str = "owner") -> ApiResponse:
    return await call_as(managed, name, body, by=by, path=path)


async def _add(managed: Any, name: str = "oidc", *, of: str = f"{OF}.AddOrgOIDCIDP", by: str = "owner") -> str:
    response = await _call(managed, of, {"name": f"{name} {managed.tag}", **CONFIG, "clientSecret": SECRET}, by=by)
    assert response.code == 0, response.body
    return str(response.body["idpId"])


async def _read(managed: Any, idp_id: str) -> dict[str, Any]:
    response = await _call(managed, f"{OF}.GetOrgIDPByID", {}, f"/management/v1/idps/{idp_id}")
    idp: dict[str, Any] = response.body["idp"]
    return idp


async def _update(managed: Any, idp_id: str, body: Any) -> ApiResponse:
    return await _call(managed, f"{OF}.UpdateOrgIDPOIDCConfig", body, f"/management/v1/idps/{idp_id}/oidc_config")


async def _list(managed: Any, *queries: Any, by: str = "owner") -> list[str]:
    response = await _call(managed, f"{OF}.ListOrgIDPs", {"queries": list(queries), "query": {"asc": True}}, by=by)
    assert response.body["details"].get("totalResult", "0") == str(len(response.body.get("result", [])))
    return sorted(idp["name"] for idp in response.body.get("result", []))


@pytest.mark.parametrize("service", [OF, IAM])
async def test_providers_are_sorted_by_name_on_request(managed: Any, service: str) -> None:
    """The default order is by creation; both work across pages."""
    of_instance = service != OF
    by, prefix = ("iam", "/admin/v1") if of_instance else ("owner", "/management/v1")
    add, search = (f"{service}.AddOIDCIDP", "ListIDPs") if of_instance else (f"{OF}.AddOrgOIDCIDP", "ListOrgIDPs")
    made = [f"{name} {managed.tag}" for name in ("zebra", "ANT", "bee")]
    for name in ("zebra", "ANT", "bee"):
        await _add(managed, name, of=add, by=by)
        managed.users.clock.tick(1)
    named = [{"idpNameQuery": {"name": managed.tag, "method": "TEXT_QUERY_METHOD_CONTAINS"}}]

    async def page(column: str, **query: Any) -> list[str]:
        body = {"queries": named, "sortingColumn": column, "query": {"asc": True, **query}}
        response = await _call(managed, f"{service}.{search}", body, f"{prefix}/idps/_search", by=by)
        assert response.body.get("sortingColumn", "IDP_FIELD_NAME_UNSPECIFIED") == column
        return [idp["name"] for idp in response.body["result"]]

    name = "IDP_FIELD_NAME_NAME"
    assert await page("IDP_FIELD_NAME_UNSPECIFIED") == made
    assert await page(name) == sorted(made, key=str.lower)
    assert await page(name, limit=2) + await page(name, offset=2) == sorted(made, key=str.lower)
    assert await page(name, asc=False) == sorted(made, key=str.lower, reverse=True)


async def test_secret_is_encrypted_and_never_shown(managed: Any) -> None:
    """No response, stored document or event contains the plain secret (MG-18)."""
    idp_id = await _add(managed)
    read = await _read(managed, idp_id)
    (row,) = await managed.users.rows("idps", _id=idp_id)
    events = await managed.users.rows("events", object=idp_id)
    sealer = managed.users.service.find(SecretSealer)

    assert read["oidcConfig"] == {**CONFIG, "hasClientSecret": True}
    assert SECRET not in str((read, row, events))
    assert row["sealedSecret"] not in str(events)
    assert sealer.unseal(row["sealedSecret"], idp_id, CONFIG["issuer"]) == SECRET
    for idp, issuer in ((idp_id, "https://other.example"), ("other", CONFIG["issuer"])):
        with pytest.raises(UnsealingFailed):
            sealer.unseal(row["sealedSecret"], idp, issuer)


async def test_secret_is_bound_to_its_issuer(managed: Any) -> None:
    """Another issuer without a new secret is refused, because it would receive the old one (MG-18)."""
    idp_id = await _add(managed)
    other = CONFIG | {"issuer": "https://evil.example"}
    refused = await _update(managed, idp_id, other)
    renamed = await _update(managed, idp_id, CONFIG | {"clientId": "new"})
    moved = await _update(managed, idp_id, other | {"clientSecret": "another"})

    assert (refused.code, refused.error_code) == (3, "USER-608")
    assert renamed.code == moved.code == 0
    assert (await _read(managed, idp_id))["oidcConfig"]["hasClientSecret"]


@pytest.mark.parametrize("issuer", ["http://oidc.example", "https://127.0.0.1", "urn:issuer", "https://a.example/?x"])
async def test_issuer_must_be_an_allowed_url(managed: Any, issuer: str) -> None:
    """The issuer's discovery document is requested by the service (IP-03)."""
    refused = await _update(managed, await _add(managed), CONFIG | {"issuer": issuer, "clientSecret": "x"})

    assert (refused.code, refused.fields) == (3, ["issuer"])


async def test_scope_must_be_one_word(managed: Any) -> None:
    """An invalid scope is refused with its index in the list."""
    refused = await _update(managed, await _add(managed), CONFIG | {"scopes": ["openid", "two words"]})

    assert (refused.code, refused.fields) == (3, ["scopes[1]"])


async def test_configuration_of_another_kind_is_refused(managed: Any) -> None:
    """A JWT configuration for an OpenID Connect provider gives code 9."""
    idp_id = await _add(managed)
    body = {"jwtEndpoint": "https://a.example", "issuer": "a", "keysEndpoint": "https://a.example"}
    refused = await _call(managed, f"{OF}.UpdateOrgIDPJWTConfig", body, f"/management/v1/idps/{idp_id}/jwt_config")

    assert (refused.code, refused.error_code) == (9, "USER-607")


async def test_list_has_own_and_instance_providers(managed: Any) -> None:
    """An organization lists and counts only its own providers and those of the instance (MG-22)."""
    await _add(managed, "own")
    await _add(managed, "foreign", by="foreign")
    await _add(managed, "all", of=f"{IAM}.AddOIDCIDP", by="iam")
    tagged = {"idpNameQuery": {"name": managed.tag, "method": "TEXT_QUERY_METHOD_CONTAINS"}}

    assert await _list(managed, tagged) == [f"all {managed.tag}", f"own {managed.tag}"]
    assert await _list(managed, tagged, by="foreign") == [f"all {managed.tag}", f"foreign {managed.tag}"]
    assert await _list(managed, tagged, {"ownerTypeQuery": {"ownerType": "IDP_OWNER_TYPE_ORG"}}) == [
        f"own {managed.tag}"
    ]


async def test_instance_providers_are_read_only_for_orgs(managed: Any) -> None:
    """Changing an instance provider through an organization gives code 5."""
    idp_id = await _add(managed, of=f"{IAM}.AddOIDCIDP", by="iam")

    assert (await _read(managed, idp_id))["owner"] == "IDP_OWNER_TYPE_SYSTEM"
    assert (await _update(managed, idp_id, CONFIG | {"clientId": "mine"})).code == 5


async def test_names_are_unique_in_an_organization(managed: Any) -> None:
    """A taken name in any spelling gives code 6; other organizations may use it."""
    await _add(managed)
    body = {"name": f"OIDC {managed.tag}", **CONFIG, "clientSecret": SECRET}

    assert (await _call(managed, f"{OF}.AddOrgOIDCIDP", body)).code == 6
    assert (await _call(managed, f"{OF}.AddOrgOIDCIDP", body, by="foreign")).code == 0


async def test_unchanged_state_is_refused(managed: Any) -> None:
    """Setting the current state again gives code 9."""
    path = f"/management/v1/idps/{await _add(managed)}"
    off = [await _call(managed, f"{OF}.DeactivateOrgIDP", {}, f"{path}/_deactivate") for _ in range(2)]
    state = (await _call(managed, f"{OF}.GetOrgIDPByID", {}, path)).body["idp"]["state"]
    on = [await _call(managed, f"{OF}.ReactivateOrgIDP", {}, f"{path}/_reactivate") for _ in range(2)]

    assert [response.code for response in (*off, *on)] == [0, 9, 0, 9]
    assert state == "IDP_STATE_INACTIVE"


async def test_name_styling_and_auto_register_are_replaced(managed: Any) -> None:
    """Absent values are reset; the configuration stays."""
    idp_id = await _add(managed)
    path = f"/management/v1/idps/{idp_id}"
    body = {"name": "new", "stylingType": "STYLING_TYPE_GOOGLE", "autoRegister": True}
    await _call(managed, f"{OF}.UpdateOrgIDP", body, path)
    first = await _read(managed, idp_id)
    await _call(managed, f"{OF}.UpdateOrgIDP", {"name": "new"}, path)
    second = await _read(managed, idp_id)

    assert {name: first[name] for name in body} == body
    assert not {"stylingType", "autoRegister"} & set(second)
    assert second["oidcConfig"] == first["oidcConfig"]
