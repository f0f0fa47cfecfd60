"""Identity providers in the newer API, of organizations and of the instance (MG-01, MG-18, MG-22, IP-06)."""

from __future__ import annotations

from typing import Any

import pytest
from portico_fakes.management_api import ApiResponse, call_as
from portico_users.identity_providers.secrets import SecretSealer

pytestmark = pytest.mark.servers

ORG, IAM = "portico.management.v1.IDPService", "portico.admin.v1.IDPService"
BASES = {ORG: "/management/v1/idps", IAM: "/admin/v1/idps"}
JWT = {
    "issuer": "https://jwt.example",
    "jwtEndpoint": "https://jwt.example/login",
    "keysEndpoint": "https://jwt.example/keys",
    "headerName": "x-jwt",
}
OIDC = {"issuer": "https://oidc.example", "clientId": "portico", "scopes": ["openid", "email"]}
SECRET = "what only the two of us know"
OPTIONS = {"isLinkingAllowed": True, "isAutoUpdate": True, "autoLinking": "AUTO_LINKING_OPTION_EMAIL"}
CALLERS = pytest.mark.parametrize(("of", "by"), [(ORG, "owner"), (IAM, "iam")])


async def _call(managed: Any, name: str, body: Any, path: str = "", *, by: str = "owner") -> ApiResponse:
    of, _, method = name.rpartition(".")
    full = f"{BASES[of]}/{path}" if path else ""
    return await call_as(managed, f"{of}.{method}", body, by=by, path=full)


async def _add(managed: Any, kind: str, name: str = "", *, of: str = ORG, by: str = "owner") -> str:
    config = JWT if kind == "JWT" else OIDC | {"clientSecret": SECRET}
    body = {"name": f"{name or kind} {managed.tag}", **config, "providerOptions": OPTIONS}
    response = await _call(managed, f"{of}.AddGeneric{kind}Provider", body, by=by)
    assert response.code == 0, response.body
    return str(response.body["id"])


async def _get(managed: Any, id: str, *, of: str = ORG, by: str = "owner") -> ApiResponse:
    return await _call(managed, f"{of}.GetProviderByID", {}, f"templates/{id}", by=by)


async def _names(managed: Any, *queries: Any, of: str = ORG, by: str = "owner", **query: Any) -> list[str]:
    body = {"queries": list(queries), "query": {"asc": True, **query}}
    response = await _call(managed, f"{of}.ListProviders", body, by=by)
    assert response.code == 0, response.body
    return [idp["name"].removesuffix(f" {managed.tag}") for idp in response.body.get("result", [])]


def _tagged(managed: Any) -> dict[str, Any]:
    return {"idpNameQuery": {"name": managed.tag, "method": "TEXT_QUERY_METHOD_CONTAINS"}}


@CALLERS
async def test_added_provider_is_read_with_its_options(managed: Any, of: str, by: str) -> None:
    """Responses have id, details, state, name, owner, type, options and configuration, but never a secret (MG-18)."""
    owner = "ORG" if of == ORG else "SYSTEM"
    jwt = (await _get(managed, await _add(managed, "JWT", of=of, by=by), of=of, by=by)).body["idp"]
    oidc = (await _get(managed, await _add(managed, "OIDC", of=of, by=by), of=of, by=by)).body["idp"]

    assert set(jwt) == {"id", "details", "state", "name", "owner", "type", "config"}
    assert jwt["details"]["resourceOwner"] == (managed.org_id if of == ORG else "instance")
    assert (jwt["type"], oidc["type"]) == ("PROVIDER_TYPE_JWT", "PROVIDER_TYPE_OIDC")
    assert {one["state"] for one in (jwt, oidc)} == {"IDP_STATE_ACTIVE"}
    assert {one["owner"] for one in (jwt, oidc)} == {f"IDP_OWNER_TYPE_{owner}"}
    assert jwt["config"] == {"options": OPTIONS, "jwt": JWT}
    assert oidc["config"] == {"options": OPTIONS, "oidc": OIDC | {"hasClientSecret": True}}


@CALLERS
async def test_update_keeps_absent_options(managed: Any, of: str, by: str) -> None:
    """An update replaces everything but absent options; without a change it gives code 9."""
    jwt, oidc = await _add(managed, "JWT", of=of, by=by), await _add(managed, "OIDC", of=of, by=by)
    to_jwt = {"name": f"new jwt {managed.tag}", **JWT, "issuer": "urn:other"}
    to_oidc = {"name": f"new oidc {managed.tag}", "issuer": OIDC["issuer"], "clientId": "other"}
    for kind, id, body, other in (("JWT", jwt, to_jwt, oidc), ("OIDC", oidc, to_oidc, jwt)):
        name, path = f"{of}.UpdateGeneric{kind}Provider", f"generic_{kind.lower()}"
        response = await _call(managed, name, body, f"{path}/{id}", by=by)
        again = await _call(managed, name, body, f"{path}/{id}", by=by)
        wrong = await _call(managed, name, body, f"{path}/{other}", by=by)
        assert (response.code, again.error_code, wrong.error_code) == (0, "USER-702", "USER-607"), response.body
    read = (await _get(managed, oidc, of=of, by=by)).body["idp"]

    assert read["name"] == f"new oidc {managed.tag}"
    assert read["config"]["options"] == OPTIONS
    assert read["config"]["oidc"] == {"issuer": OIDC["issuer"], "clientId": "other", "hasClientSecret": True}
    assert (await _get(managed, jwt, of=of, by=by)).body["idp"]["config"]["jwt"]["issuer"] == "urn:other"


async def test_secret_is_bound_to_its_issuer(managed: Any) -> None:
    """Another issuer requires the secret again; it is stored encrypted and appears in no event (MG-18)."""
    id = await _add(managed, "OIDC")
    moved = {"name": "moved", **OIDC, "issuer": "https://evil.example"}
    refused = await _call(managed, f"{ORG}.UpdateGenericOIDCProvider", moved, f"generic_oidc/{id}")
    given = moved | {"clientSecret": "another"}
    taken = await _call(managed, f"{ORG}.UpdateGenericOIDCProvider", given, f"generic_oidc/{id}")
    (row,) = await managed.users.rows("idps", _id=id)
    events = await managed.users.rows("events", object=id)

    assert (refused.error_code, taken.code) == ("USER-608", 0)
    assert managed.users.service.find(SecretSealer).unseal(row["sealedSecret"], id, moved["issuer"]) == "another"
    assert [event["sequence"] for event in events] == [1, 2]
    assert "another" not in str((row, events))
    assert row["sealedSecret"] not in str(events)


async def test_update_keeps_values_of_the_v1_api(managed: Any) -> None:
    """Both APIs show the same provider: an update in the newer one keeps styling and mappings."""
    older = {"name": f"older {managed.tag}", **OIDC, "clientSecret": SECRET, "autoRegister": True}
    older |= {"usernameMapping": "OIDC_MAPPING_FIELD_EMAIL", "stylingType": "STYLING_TYPE_GOOGLE"}
    id = (await _call(managed, f"{ORG}.AddOrgOIDCIDP", older)).body["idpId"]
    options = (await _get(managed, id)).body["idp"]["config"]["options"]
    body = {"name": f"newer {managed.tag}", **OIDC}
    await _call(managed, f"{ORG}.UpdateGenericOIDCProvider", body, f"generic_oidc/{id}")
    read = (await _call(managed, f"{ORG}.GetOrgIDPByID", {}, id)).body["idp"]

    assert options == {"isLinkingAllowed": True, "isCreationAllowed": True, "isAutoCreation": True}
    assert (read["name"], read["stylingType"]) == (body["name"], "STYLING_TYPE_GOOGLE")
    assert read["oidcConfig"]["usernameMapping"] == "OIDC_MAPPING_FIELD_EMAIL"


async def test_list_has_own_and_instance_providers(managed: Any) -> None:
    """Providers of other organizations are not counted; the instance's list has only its own (MG-22)."""
    own = await _add(managed, "JWT", "own")
    managed.users.clock.tick(1)
    await _add(managed, "OIDC", "foreign", by="foreign")
    managed.users.clock.tick(1)
    await _add(managed, "OIDC", "all", of=IAM, by="iam")
    tagged = _tagged(managed)
    body = {"queries": [tagged], "query": {"limit": 1}}
    page = await _call(managed, f"{ORG}.ListProviders", body)

    assert await _names(managed, tagged) == ["own", "all"]
    assert await _names(managed, tagged, offset=1) == ["all"]
    assert await _names(managed, tagged, by="foreign") == ["foreign", "all"]
    assert await _names(managed, tagged, of=IAM, by="iam") == ["all"]
    assert await _names(managed, {"idpIdQuery": {"id": own}}) == ["own"]
    assert await _names(managed, tagged, {"ownerTypeQuery": {"ownerType": "IDP_OWNER_TYPE_SYSTEM"}}) == ["all"]
    assert (page.body["details"]["totalResult"], len(page.body["result"])) == ("2", 1)


async def test_instance_providers_are_read_only_for_orgs(managed: Any) -> None:
    """Organizations can read instance providers; changes give code 5, as for unknown ones (MG-01, MG-04)."""
    id = await _add(managed, "JWT", of=IAM, by="iam")
    body = {"name": "mine", **JWT}
    refused = await _call(managed, f"{ORG}.UpdateGenericJWTProvider", body, f"generic_jwt/{id}")
    removed = await _call(managed, f"{ORG}.DeleteProvider", {}, f"templates/{id}")
    other = await _add(managed, "OIDC", of=IAM, by="iam")
    moved = {"name": "mine", **OIDC, "clientSecret": "mine"}
    taken = await _call(managed, f"{ORG}.UpdateGenericOIDCProvider", moved, f"generic_oidc/{other}")

    assert (await _get(managed, id)).body["idp"]["owner"] == "IDP_OWNER_TYPE_SYSTEM"
    assert refused.code == removed.code == taken.code == 5
    assert (await _get(managed, id)).code == 0


@CALLERS
async def test_deleted_provider_is_not_found_in_both_apis(managed: Any, of: str, by: str) -> None:
    """Deleting a provider deletes its secret and frees its name."""
    id = await _add(managed, "OIDC", of=of, by=by)
    gone = await _call(managed, f"{of}.DeleteProvider", {}, f"templates/{id}", by=by)
    (row,) = await managed.users.rows("idps", _id=id)
    older = "GetOrgIDPByID" if of == ORG else "GetIDPByID"

    assert set(gone.body["details"]) == {"sequence", "creationDate", "changeDate", "resourceOwner"}
    assert (await _get(managed, id, of=of, by=by)).code == 5
    assert (await _call(managed, f"{of}.{older}", {}, id, by=by)).code == 5
    assert row["sealedSecret"] == ""
    assert await _names(managed, _tagged(managed), of=of, by=by) == []
    assert await _add(managed, "OIDC", of=of, by=by) != id


async def test_unknown_auto_linking_is_refused(managed: Any) -> None:
    """An unknown value is refused with its path; no account is ever linked without authentication (IP-06)."""
    body = {"name": "x", **JWT, "providerOptions": {"autoLinking": "AUTO_LINKING_OPTION_PHONE"}}
    response = await _call(managed, f"{ORG}.AddGenericJWTProvider", body)

    assert (response.code, response.fields) == (3, ["providerOptions.autoLinking"])
