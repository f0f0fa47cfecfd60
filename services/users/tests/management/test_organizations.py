from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from portico_contracts.users import FIND_ORGANIZATION, FindOrganization
from portico_fakes.management_api import ApiResponse, call_as

pytestmark = pytest.mark.servers

Org = Callable[..., Awaitable[ApiResponse]]
OF = "portico.management.v1.OrganizationService"
LIST = "portico.admin.v1.OrganizationService.ListOrgs"
ME = "/management/v1/orgs/me"


@pytest.fixture
def on_org(managed: Any) -> Org:
    async def call(method: str, body: Any = None, path: str = "", *, by: str = "owner", **more: Any) -> ApiResponse:
        name = method if "." in method else f"{OF}.{method}"
        return await call_as(managed, name, body or {}, by=by, path=path or ME, **more)

    return call


async def test_organization_is_created_and_changed(managed: Any, on_org: Org) -> None:
    """An organization owns itself and has a domain under the issuer's host from the start."""
    added = await on_org("AddOrg", {"name": f"Söhne & Co {managed.tag}"}, "/management/v1/orgs", by="iam")
    headers = {"x-service-orgid": added.body["id"]}
    org = (await on_org("GetMyOrg", by="iam", headers=headers)).body["org"]
    assert org["details"]["resourceOwner"] == org["id"]
    assert org["name"] == f"Söhne & Co {managed.tag}"
    assert org["primaryDomain"].startswith(f"sohne-co-{managed.tag}.")

    renamed = await on_org("UpdateOrg", {"name": f"Daughters {managed.tag}"}, by="iam", headers=headers)
    again = await on_org("UpdateOrg", {"name": f"Daughters {managed.tag}"}, by="iam", headers=headers)
    assert renamed.body["details"]["sequence"] == "2"
    assert again.error_code == "USER-702"


async def test_default_domains_are_unique(managed: Any, on_org: Org) -> None:
    """If the labels of two names are equal, the second is derived from the id; another spelling of a name is
    taken (MG-08).
    """
    domains = []
    for name in (f"Acme {managed.tag}", f"Acme! {managed.tag}"):
        added = await on_org("AddOrg", {"name": name}, "/management/v1/orgs", by="iam")
        headers = {"x-service-orgid": added.body["id"]}
        domains.append((await on_org("GetMyOrg", by="iam", headers=headers)).body["org"]["primaryDomain"])
    taken = await on_org("AddOrg", {"name": f"ACME {managed.tag}"}, "/management/v1/orgs", by="iam")

    assert len(set(domains)) == 2
    assert taken.code == 6


async def test_inactive_organization_is_unusable(managed: Any, on_org: Org) -> None:
    """Its users count as unknown and nothing can be created in it, until an instance owner reactivates it."""
    headers = {"x-service-orgid": managed.other_org_id}
    assert (await on_org("DeactivateOrg", {}, f"{ME}/_deactivate", by="iam", headers=headers)).code == 0
    assert (await on_org("GetMyOrg", by="foreign")).code == 16
    assert (await on_org("UpdateOrg", {"name": "a"}, by="iam", headers=headers)).error_code == "USER-313"
    org = (await on_org("GetMyOrg", by="iam", headers=headers)).body["org"]
    assert org["state"] == "ORG_STATE_INACTIVE"

    assert (await on_org("DeactivateOrg", {}, f"{ME}/_deactivate", by="iam", headers=headers)).error_code == "USER-700"
    assert (await on_org("ReactivateOrg", {}, f"{ME}/_reactivate", by="iam", headers=headers)).code == 0
    assert (await on_org("GetMyOrg", by="foreign")).code == 0


async def test_organizations_are_listed_with_filters(managed: Any, on_org: Org) -> None:
    """Organizations can be filtered by name, domain and state."""
    name = {"nameQuery": {"name": managed.tag, "method": "TEXT_QUERY_METHOD_CONTAINS"}}
    domain = {"domainQuery": {"domain": f"other-{managed.tag}", "method": "TEXT_QUERY_METHOD_STARTS_WITH"}}
    state = {"stateQuery": {"state": "ORG_STATE_INACTIVE"}}
    found = []
    for queries in ([name], [name, domain], [name, state]):
        body = {"query": {"asc": True}, "queries": queries}
        response = await on_org(LIST, body, "/admin/v1/orgs/_search", by="iam")
        found.append([org["id"] for org in response.body.get("result", [])])

    assert found == [[managed.org_id, managed.other_org_id], [managed.other_org_id], []]


async def _sorted(managed: Any, on_org: Org, column: str | None, **query: Any) -> ApiResponse:
    named = [{"nameQuery": {"name": managed.tag, "method": "TEXT_QUERY_METHOD_CONTAINS"}}]
    body = {"query": query, "queries": named} | ({"sortingColumn": column} if column else {})
    return await on_org(LIST, body, "/admin/v1/orgs/_search", by="iam")


@pytest.mark.parametrize("column", [None, "ORG_FIELD_NAME_UNSPECIFIED", "ORG_FIELD_NAME_NAME"])
async def test_organizations_are_sorted_by_name(managed: Any, on_org: Org, column: str | None) -> None:
    """The order ignores case in both directions, and pages do not overlap."""
    names = [f"{name} {managed.tag}" for name in ("zebra", "ANT", "bee", "Cat")]
    for name in names:
        assert (await on_org("AddOrg", {"name": name}, "/management/v1/orgs", by="iam")).code == 0
    whole = await _sorted(managed, on_org, column, asc=True)
    pages = [await _sorted(managed, on_org, column, offset=at, limit=2, asc=True) for at in (0, 2, 4)]
    downwards = await _sorted(managed, on_org, column)
    found = [org["name"] for org in whole.body["result"]]

    assert [name for name in found if name in names] == sorted(names, key=str.lower)
    assert [org["name"] for page in pages for org in page.body["result"]] == found
    assert [org["name"] for org in downwards.body["result"]] == found[::-1]
    assert whole.body.get("sortingColumn", "ORG_FIELD_NAME_UNSPECIFIED") == (column or "ORG_FIELD_NAME_UNSPECIFIED")


async def test_unknown_sorting_column_is_refused(managed: Any, on_org: Org) -> None:
    """An unknown sorting column is refused instead of being ignored."""
    refused = await _sorted(managed, on_org, "ORG_FIELD_NAME_CREATION_DATE")

    assert (refused.code, refused.fields) == (3, ["sortingColumn"])


async def _prove(managed: Any, on_org: Org, domain: str, kind: str = "DNS", *, by: str = "owner") -> ApiResponse:
    await on_org("AddOrgDomain", {"domain": domain}, f"{ME}/domains", by=by)
    path = f"{ME}/domains/{domain}/validation"
    body = {"type": f"DOMAIN_VALIDATION_TYPE_{kind}"}
    wanted = (await on_org("GenerateOrgDomainValidation", body, f"{path}/_generate", by=by)).body
    managed.users.web.show(wanted["url"], wanted["token"])
    return await on_org("ValidateOrgDomain", {}, f"{path}/_validate", by=by)


@pytest.mark.parametrize("kind", ["HTTP", "DNS"])
async def test_domain_is_usable_once_verified(managed: Any, on_org: Org, kind: str) -> None:
    """Sign-in finds the organization by a verified domain, which can become the primary one."""
    domain = f"{kind.lower()}-{managed.tag}.example"
    ask = FindOrganization(domain=domain)
    await on_org("AddOrgDomain", {"domain": domain}, f"{ME}/domains")
    assert (await managed.users.call(FIND_ORGANIZATION, ask)).org_id == ""
    assert (await on_org("SetPrimaryOrgDomain", {}, f"{ME}/domains/{domain}/_set_primary")).error_code == "USER-719"

    assert (await _prove(managed, on_org, domain, kind)).code == 0
    assert (await managed.users.call(FIND_ORGANIZATION, ask)).org_id == managed.org_id
    assert (await on_org("SetPrimaryOrgDomain", {}, f"{ME}/domains/{domain}/_set_primary")).code == 0
    user = (await managed.get(f"self-{managed.tag}")).body["user"]
    assert user["preferredLoginName"] == f"self-{managed.tag}@{domain}"
    listed = (await on_org("ListOrgDomains", {}, f"{ME}/domains/_search")).body["result"]
    assert [(one["domainName"], one.get("isPrimary", False)) for one in listed] == [
        (domain, True),
        (managed.domain(managed.org_id), False),
    ]
    assert all(one["isVerified"] for one in listed)


@pytest.mark.parametrize("kind", ["HTTP", "DNS"])
async def test_missing_challenge_verifies_nothing(managed: Any, on_org: Org, kind: str) -> None:
    """Without the right challenge the domain stays unverified."""
    domain = f"{kind.lower()}-{managed.tag}.example"
    path = f"{ME}/domains/{domain}/validation"
    await on_org("AddOrgDomain", {"domain": domain}, f"{ME}/domains")
    assert (await on_org("ValidateOrgDomain", {}, f"{path}/_validate")).error_code == "USER-721"

    body = {"type": f"DOMAIN_VALIDATION_TYPE_{kind}"}
    first = (await on_org("GenerateOrgDomainValidation", body, f"{path}/_generate")).body
    assert (await on_org("ValidateOrgDomain", {}, f"{path}/_validate")).error_code == "USER-723"

    second = (await on_org("GenerateOrgDomainValidation", body, f"{path}/_generate")).body
    managed.users.web.show(second["url"], first["token"])
    assert (await on_org("ValidateOrgDomain", {}, f"{path}/_validate")).error_code == "USER-723"


async def test_verified_domain_belongs_to_one_organization(managed: Any, on_org: Org) -> None:
    """Other organizations may add the domain but cannot verify it (MG-08)."""
    domain = f"shared-{managed.tag}.example"
    assert (await _prove(managed, on_org, domain)).code == 0
    path = f"{ME}/domains/{domain}/validation"
    for method, verb in (("GenerateOrgDomainValidation", "_generate"), ("ValidateOrgDomain", "_validate")):
        body = {"type": "DOMAIN_VALIDATION_TYPE_DNS"} if verb == "_generate" else {}
        assert (await on_org(method, body, f"{path}/{verb}")).error_code == "USER-720"

    assert (await _prove(managed, on_org, domain, by="foreign")).error_code == "USER-716"
    assert (await on_org("RemoveOrgDomain", {}, f"{ME}/domains/{domain}")).code == 0
    assert (await _prove(managed, on_org, domain, by="foreign")).code == 0


async def test_another_organizations_primary_domain_cannot_be_verified(managed: Any, on_org: Org) -> None:
    refused = await _prove(managed, on_org, managed.domain(managed.other_org_id))

    assert refused.error_code == "USER-716"


@pytest.mark.parametrize(
    ("domain", "error_code"),
    [("Upper.example", "USER-004"), ("a b.example", "USER-004"), ("-.example", "USER-004"), ("", "USER-303")],
)
async def test_domain_must_be_a_host_name(on_org: Org, domain: str, error_code: str) -> None:
    """Domains must be lower-case host names, so that nothing else is requested."""
    assert (await on_org("AddOrgDomain", {"domain": domain}, f"{ME}/domains")).error_code == error_code


async def test_primary_domain_cannot_be_removed(managed: Any, on_org: Org) -> None:
    """Domains are added once; all but the primary one can be removed."""
    primary, further = managed.domain(managed.org_id), f"further-{managed.tag}.example"
    await on_org("AddOrgDomain", {"domain": further}, f"{ME}/domains")
    for domain in (primary, further):
        assert (await on_org("AddOrgDomain", {"domain": domain}, f"{ME}/domains")).error_code == "USER-715"

    assert (await on_org("RemoveOrgDomain", {}, f"{ME}/domains/{primary}")).error_code == "USER-718"
    assert (await on_org("RemoveOrgDomain", {}, f"{ME}/domains/{further}")).code == 0
    assert (await on_org("RemoveOrgDomain", {}, f"{ME}/domains/{further}")).error_code == "USER-717"


async def test_organization_is_found_by_its_domain(managed: Any, on_org: Org) -> None:
    """Domains match in any spelling; other organizations count as unknown (MG-04)."""
    path = "/management/v1/global/orgs/_by_domain"
    domains = [managed.domain(managed.org_id).upper(), managed.domain(managed.other_org_id), "nowhere.example"]
    own, foreign, unknown = [await on_org("GetOrgByDomainGlobal", {"domain": one}, path) for one in domains]

    assert own.body["org"]["id"] == managed.org_id
    assert foreign == unknown
    assert foreign.code == 5
