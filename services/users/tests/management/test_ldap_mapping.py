"""LDAP providers in the management API (MG-01, MG-18)."""

from __future__ import annotations

from typing import Any

import pytest
from portico_fakes.management_api import ApiResponse, call_as

pytestmark = pytest.mark.servers

ORG, IAM = "portico.management.v1.IDPService", "portico.admin.v1.IDPService"
BASES = {ORG: "/management/v1/idps", IAM: "/admin/v1/idps"}
CALLERS = pytest.mark.parametrize(("of", "by"), [(ORG, "owner"), (IAM, "iam")])
SECRET = "what only the two of us know"

SCHEMA_VERSION = {
    "servers": ["ldaps://ldap.example.com", "ldaps://ldap2.example.com:1636"],
    "baseDn": "ou=people,dc=example,dc=org",
    "bindDn": "cn=portico,dc=example,dc=org",
    "userObjectClasses": ["inetOrgPerson"],
    "userFilters": ["uid", "mail"],
    "timeout": "3s",
    "attributes": {"idAttribute": "objectGUID", "emailAttribute": "mail", "emailVerifiedAttribute": "mailVerified"},
}


async def _call(managed: Any, name: str, body: Any, path: str = "", *, by: str = "owner") -> ApiResponse:
    of, _, method = name.rpartition(".")
    return await call_as(managed, f"{of}.{method}", body, by=by, path=f"{BASES[of]}/{path}" if path else "")


async def _add(managed: Any, *, of: str = ORG, by: str = "owner", **members: Any) -> ApiResponse:
    body = {"name": f"directory {managed.tag}", **SCHEMA_VERSION, "bindPassword": SECRET, **members}
    return await _call(managed, f"{of}.AddLDAPProvider", body, by=by)


async def _update(managed: Any, id: str, *, of: str = ORG, by: str = "owner", **members: Any) -> ApiResponse:
    body = {"name": f"new {managed.tag}", **SCHEMA_VERSION, **members}
    return await _call(managed, f"{of}.UpdateLDAPProvider", body, f"ldap/{id}", by=by)


async def _shown(managed: Any, id: str, *, of: str = ORG, by: str = "owner") -> dict[str, Any]:
    response = await _call(managed, f"{of}.GetProviderByID", {}, f"templates/{id}", by=by)
    assert response.code == 0, response.body
    found: dict[str, Any] = response.body["idp"]
    return found


@CALLERS
async def test_ldap_provider_is_read_as_added(managed: Any, of: str, by: str) -> None:
    """Neither the list nor a single read contains the password (MG-18)."""
    id = (await _add(managed, of=of, by=by)).body["id"]
    shown = await _shown(managed, id, of=of, by=by)
    listed = await _call(managed, f"{of}.ListProviders", {"queries": [{"idpIdQuery": {"id": id}}]}, by=by)

    assert shown["type"] == "PROVIDER_TYPE_LDAP"
    assert shown["config"]["options"] == {"isLinkingAllowed": True, "isCreationAllowed": True}
    assert shown["config"]["ldap"] == SCHEMA_VERSION | {"userBase": "dn"}
    assert listed.body["result"] == [shown]


@CALLERS
async def test_update_keeps_absent_options_and_password(managed: Any, of: str, by: str) -> None:
    """Absent options stay, and so does the password while its destination is unchanged."""
    options = {"isLinkingAllowed": True, "isAutoCreation": True}
    id = (await _add(managed, of=of, by=by, providerOptions=options)).body["id"]
    before = await managed.users.rows("idps", _id=id)
    updated = await _update(managed, id, of=of, by=by, userFilters=["uid"], attributes={}, timeout=None)
    shown = await _shown(managed, id, of=of, by=by)
    after = await managed.users.rows("idps", _id=id)

    assert updated.code == 0, updated.body
    assert shown["config"]["options"] == options
    assert (shown["config"]["ldap"]["userFilters"], shown["config"]["ldap"]["timeout"]) == (["uid"], "5s")
    assert before[0]["sealedSecret"] == after[0]["sealedSecret"]


@pytest.mark.parametrize("changed", [{"servers": ["ldaps://other.example.com"]}, {"bindDn": "cn=x,dc=example"}])
async def test_password_is_required_for_other_servers(managed: Any, changed: dict[str, Any]) -> None:
    """Other servers or another bind DN require the password again (MG-18)."""
    id = (await _add(managed)).body["id"]
    refused = await _update(managed, id, **changed)
    again = await _update(managed, id, **changed, bindPassword="new")

    assert (refused.code, refused.error_code, again.code) == (3, "USER-393", 0)


@pytest.mark.parametrize(
    ("changed", "id"),
    [
        ({"userBase": "mail"}, "USER-394"),
        ({"timeout": "1.5s"}, "USER-392"),
        ({"servers": ["ldap://ldap.example.com"]}, "USER-387"),
        ({"servers": ["ldaps://127.0.0.1"]}, "USER-386"),
        ({"rootCa": "AAAA"}, "USER-391"),
        ({"attributes": {"idAttribute": "mail"}}, "USER-390"),
    ],
)
async def test_invalid_values_are_refused_with_their_field(managed: Any, changed: dict[str, Any], id: str) -> None:
    """The validation is that of the record, equal at every entry point (MG-01)."""
    refused = await _add(managed, **changed)

    assert (refused.code, refused.error_code) == (3, id)


async def test_kind_of_provider_cannot_change(managed: Any) -> None:
    """An LDAP provider cannot become an OIDC provider, or vice versa (USER-607)."""
    id = (await _add(managed)).body["id"]
    jwt = {"jwtEndpoint": "https://jwt.example", "issuer": "jwt", "keysEndpoint": "https://jwt.example/keys"}
    refused = await _call(managed, f"{ORG}.UpdateGenericJWTProvider", {"name": "x", **jwt}, f"generic_jwt/{id}")

    assert (refused.code, refused.error_code) == (9, "USER-607")
