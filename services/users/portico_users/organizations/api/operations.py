"""The operations on organizations and their domains."""

from __future__ import annotations

from typing import Final

from portico_users.administrators.permissions import Permission
from portico_users.management_api.protobuf.changing import changing, renamed
from portico_users.management_api.transport.operation import Operation
from portico_users.management_api.transport.targets import instance, org_in_any_state, own_or_named_org
from portico_users.organizations.api import organizations as orgs
from portico_users.organizations.api.organizations import org_of_domain, org_to_deactivate
from portico_users.organizations.api.set_up_org import set_up_org
from portico_users.organizations.edit_organizations import OrgDomains, UpdateOrg
from portico_users.states import Reactivate

_OF: Final = "portico.management.v1.OrganizationService"
_IAM: Final = "portico.admin.v1.OrganizationService"
_READ: Final = Permission.ORG_READ
_WRITE: Final = Permission.ORG_WRITE

ORGS: Final[tuple[Operation, ...]] = (
    Operation(f"{_OF}.GetMyOrg", _READ, org_in_any_state, orgs.get_my_org),
    Operation(f"{_OF}.GetOrgByDomainGlobal", _READ, org_of_domain, orgs.get_org_by_domain_global),
    Operation(f"{_OF}.AddOrg", Permission.ORG_CREATE, instance, orgs.add_org),
    changing(f"{_OF}.UpdateOrg", _WRITE, own_or_named_org, UpdateOrg, after=renamed),
    Operation(f"{_OF}.DeactivateOrg", _WRITE, org_to_deactivate, orgs.deactivate_org),
    changing(f"{_OF}.ReactivateOrg", _WRITE, org_in_any_state, Reactivate),
    changing(
        f"{_OF}.AddOrgDomain", _WRITE, own_or_named_org, OrgDomains, "domain", act=OrgDomains.add, changes_part=True
    ),
    Operation(f"{_OF}.ListOrgDomains", _READ, own_or_named_org, orgs.list_org_domains),
    changing(
        f"{_OF}.RemoveOrgDomain",
        _WRITE,
        own_or_named_org,
        OrgDomains,
        "domain",
        act=OrgDomains.remove,
        changes_part=True,
    ),
    Operation(f"{_OF}.GenerateOrgDomainValidation", _WRITE, own_or_named_org, orgs.generate_org_domain_validation),
    changing(
        f"{_OF}.ValidateOrgDomain",
        _WRITE,
        own_or_named_org,
        OrgDomains,
        "domain",
        act=OrgDomains.verify,
        changes_part=True,
    ),
    changing(f"{_OF}.SetPrimaryOrgDomain", _WRITE, own_or_named_org, OrgDomains, "domain", act=OrgDomains.set_primary),
    Operation(f"{_IAM}.SetUpOrg", Permission.ORG_CREATE, instance, set_up_org),
    Operation(f"{_IAM}.ListOrgs", Permission.IAM_READ, instance, orgs.list_orgs),
)
