"""The operations on organizations and their domains, and on the settings and signing keys of the instance."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Final

from portico_users.api import admin_v1
from portico_users.api.admin_v1 import get_intent_settings, set_up_org
from portico_users.api.management_v1 import orgs
from portico_users.api.management_v1.orgs import instance, org_in_any_state, org_of_domain, org_to_deactivate
from portico_users.api.management_v1.policies import the_instance
from portico_users.api.shared.changing import changing, renamed
from portico_users.api.shared.details import as_read
from portico_users.api.transport.operation import Operation
from portico_users.api.transport.targets import own_or_named_org
from portico_users.commands.orgs import OrgDomains, UpdateOrg
from portico_users.commands.policies import AllowImpersonation, SetIntentUrls, SetTokenLifetimes
from portico_users.commands.states import Reactivate
from portico_users.resources.members.permissions import Permission

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


_SETTINGS: Final = "portico.admin.v1.SettingsService"
_EMAIL: Final = "portico.admin.v1.EmailService"


def _setting(verb: str, act: Callable[..., Awaitable[object]] | None = None) -> Operation:
    name, write = f"{_SETTINGS}.{verb}OIDCSettings", Permission.IAM_WRITE
    return changing(name, write, the_instance, SetTokenLifetimes, admin_v1.lifetimes_of, answer=as_read, act=act)


SETTINGS: Final[tuple[Operation, ...]] = (
    Operation(f"{_SETTINGS}.GetOIDCSettings", Permission.IAM_READ, the_instance, admin_v1.get_settings),
    _setting("Add", act=SetTokenLifetimes.add),
    _setting("Update"),
    Operation(f"{_SETTINGS}.GetIDPIntentSettings", Permission.IAM_READ, the_instance, get_intent_settings),
    changing(
        f"{_SETTINGS}.SetIDPIntentSettings", Permission.IAM_WRITE, the_instance, SetIntentUrls, "urls", answer=as_read
    ),
    Operation(
        f"{_SETTINGS}.GetImpersonationSettings", Permission.IAM_READ, the_instance, admin_v1.get_impersonation_settings
    ),
    changing(
        f"{_SETTINGS}.SetImpersonationSettings",
        Permission.IAM_WRITE,
        the_instance,
        AllowImpersonation,
        "allow_impersonation",
        answer=as_read,
    ),
    Operation(f"{_EMAIL}.GetEmailDelivery", Permission.IAM_READ, the_instance, admin_v1.get_email_delivery),
    Operation(f"{_EMAIL}.SendTestEmail", Permission.IAM_WRITE, the_instance, admin_v1.send_test_email),
)


_SIGNING_KEYS: Final = "portico.admin.v1.SigningKeyService"

SIGNING_KEYS: Final[tuple[Operation, ...]] = (
    Operation(f"{_SIGNING_KEYS}.ListSigningKeys", Permission.IAM_READ, the_instance, admin_v1.list_signing_keys),
    Operation(f"{_SIGNING_KEYS}.RotateSigningKeys", Permission.IAM_WRITE, the_instance, admin_v1.rotate_signing_keys),
    Operation(f"{_SIGNING_KEYS}.RevokeSigningKey", Permission.IAM_WRITE, the_instance, admin_v1.revoke_signing_key),
)
