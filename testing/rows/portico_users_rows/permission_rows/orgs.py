"""Organizations and their domains."""

from __future__ import annotations

from typing import Any

from portico_users_rows.permission_rows.row import (
    ABSENT,
    INSTANCE_WRITERS,
    NO,
    NOT_NOW,
    OF_OWN_ORG,
    READERS,
    READS_OWN_ORG,
    WHO,
    YES,
    Row,
    body,
    but,
    nothing,
)

_OF = "portico.management.v1.OrganizationService"
_IAM = "portico.admin.v1.OrganizationService"
_DOMAIN = "/management/v1/orgs/me/domains/nowhere.example"


def _named(managed: Any, caller: str) -> dict[str, Any]:
    return {"name": f"organization of {caller} {managed.tag}"}


def _with_owner(managed: Any, caller: str) -> dict[str, Any]:
    human = {
        "userName": f"owner of {caller} {managed.tag}",
        "profile": {"firstName": "Ada", "lastName": "Byron"},
        "email": {"email": f"owner-{caller}-{managed.tag}@mail.example"},
    }
    return {"org": {"name": f"set up by {caller} {managed.tag}"}, "human": human}


def _domain(managed: Any, caller: str) -> dict[str, Any]:
    return {"domain": f"{caller}-{managed.tag}.example"}


ORG_ROWS = {
    f"{_OF}.GetMyOrg": Row("", nothing, READS_OWN_ORG),
    f"{_OF}.GetOrgByDomainGlobal": Row(
        "", lambda managed, _caller: {"domain": managed.domain(managed.org_id)}, READERS
    ),
    f"{_OF}.AddOrg": Row("", _named, INSTANCE_WRITERS),
    f"{_OF}.UpdateOrg": Row("", _named, OF_OWN_ORG),
    f"{_OF}.DeactivateOrg": Row("", nothing, (WHO, WHO, NO, NO, NO, NO, YES, YES)),
    f"{_OF}.ReactivateOrg": Row("", nothing, but(NOT_NOW, OF_OWN_ORG)),
    f"{_OF}.AddOrgDomain": Row("", _domain, OF_OWN_ORG),
    f"{_OF}.ListOrgDomains": Row("", nothing, READS_OWN_ORG),
    f"{_OF}.RemoveOrgDomain": Row(_DOMAIN, nothing, but(ABSENT, OF_OWN_ORG)),
    f"{_OF}.GenerateOrgDomainValidation": Row(
        f"{_DOMAIN}/validation/_generate", body(type="DOMAIN_VALIDATION_TYPE_DNS"), but(ABSENT, OF_OWN_ORG)
    ),
    f"{_OF}.ValidateOrgDomain": Row(f"{_DOMAIN}/validation/_validate", nothing, but(ABSENT, OF_OWN_ORG)),
    f"{_OF}.SetPrimaryOrgDomain": Row(f"{_DOMAIN}/_set_primary", nothing, but(ABSENT, OF_OWN_ORG)),
    f"{_IAM}.SetUpOrg": Row("", _with_owner, INSTANCE_WRITERS),
    f"{_IAM}.ListOrgs": Row("", nothing, INSTANCE_WRITERS),
}
"""The owner of the organization does not deactivate it, because an instance owner belongs to it."""
