"""The operations on identity providers, and on the links of users to them."""

from __future__ import annotations

from typing import Any, Final

from portico_users.api.management_v1.idps import (
    add_idp,
    generic_jwt,
    generic_oidc,
    idp_states,
    read_idps,
    targets,
    templates,
    update_idp,
)
from portico_users.api.transport.operation import Operation
from portico_users.api.transport.targets import named_user
from portico_users.api.user_v2.credentials.person import changing_human
from portico_users.api.user_v2.users import idp_links
from portico_users.api.user_v2.users.person_values import links_of
from portico_users.commands.people.usable_links import AddIdpLink, RemoveIdpLink
from portico_users.directory.members.permissions import Permission

_ORG: Final = "portico.management.v1.IDPService"
_IAM: Final = "portico.admin.v1.IDPService"
_USER: Final = "portico.user.v2.UserService"
_USER_READ: Final = Permission.USER_READ
_USER_WRITE: Final = Permission.USER_WRITE
_READ: Final = Permission.ORG_IDP_READ
_WRITE: Final = Permission.ORG_IDP_WRITE
_IAM_READ: Final = Permission.IAM_IDP_READ
_IAM_WRITE: Final = Permission.IAM_IDP_WRITE
_LINK: Final = ("idp_id", "linked_user_id")

IDPS: Final[tuple[Operation[Any, Any, Any], ...]] = (
    Operation(f"{_ORG}.GetOrgIDPByID", _READ, targets.readable_idp, read_idps.get_idp),
    Operation(f"{_ORG}.ListOrgIDPs", _READ, targets.owners_to_list, read_idps.list_idps),
    Operation(f"{_ORG}.AddOrgJWTIDP", _WRITE, targets.org_as_owner, add_idp.add_jwt_idp),
    Operation(f"{_ORG}.AddOrgOIDCIDP", _WRITE, targets.org_as_owner, add_idp.add_oidc_idp),
    Operation(f"{_ORG}.AddGenericJWTProvider", _WRITE, targets.org_as_owner, generic_jwt.add_generic_jwt_provider),
    Operation(f"{_ORG}.UpdateGenericJWTProvider", _WRITE, targets.own_idp, generic_jwt.update_generic_jwt_provider),
    Operation(f"{_ORG}.AddGenericOIDCProvider", _WRITE, targets.org_as_owner, generic_oidc.add_generic_oidc_provider),
    Operation(f"{_ORG}.UpdateGenericOIDCProvider", _WRITE, targets.own_idp, generic_oidc.update_generic_oidc_provider),
    Operation(f"{_ORG}.GetProviderByID", _READ, targets.readable_idp, templates.get_provider),
    Operation(f"{_ORG}.ListProviders", _READ, targets.owners_to_list, templates.list_providers),
    Operation(f"{_ORG}.DeleteProvider", _WRITE, targets.own_idp, idp_states.remove_idp),
    Operation(f"{_ORG}.UpdateOrgIDP", _WRITE, targets.own_idp, update_idp.update_idp),
    Operation(f"{_ORG}.UpdateOrgIDPJWTConfig", _WRITE, targets.own_idp, update_idp.update_jwt_config),
    Operation(f"{_ORG}.UpdateOrgIDPOIDCConfig", _WRITE, targets.own_idp, update_idp.update_oidc_config),
    Operation(f"{_ORG}.DeactivateOrgIDP", _WRITE, targets.own_idp, idp_states.deactivate_idp),
    Operation(f"{_ORG}.ReactivateOrgIDP", _WRITE, targets.own_idp, idp_states.reactivate_idp),
    Operation(f"{_ORG}.RemoveOrgIDP", _WRITE, targets.own_idp, idp_states.remove_idp),
    Operation(f"{_ORG}.ListHumanLinkedIDPs", _USER_READ, named_user, idp_links.list_human_linked_idps, own=True),
    changing_human(f"{_ORG}.RemoveHumanLinkedIDP", _USER_WRITE, RemoveIdpLink, *_LINK, own=True),
    changing_human(f"{_USER}.AddIDPLink", _USER_WRITE, AddIdpLink, lambda asked: links_of([asked.idp_link])[0]),
    Operation(f"{_USER}.ListIDPLinks", _USER_READ, named_user, idp_links.list_idp_links, own=True),
    changing_human(f"{_USER}.RemoveIDPLink", _USER_WRITE, RemoveIdpLink, *_LINK, own=True),
    Operation(f"{_IAM}.GetIDPByID", _IAM_READ, targets.readable_instance_idp, read_idps.get_idp),
    Operation(f"{_IAM}.ListIDPs", _IAM_READ, targets.instance_to_list, read_idps.list_idps),
    Operation(f"{_IAM}.AddJWTIDP", _IAM_WRITE, targets.instance_as_owner, add_idp.add_jwt_idp),
    Operation(f"{_IAM}.AddOIDCIDP", _IAM_WRITE, targets.instance_as_owner, add_idp.add_oidc_idp),
    Operation(
        f"{_IAM}.AddGenericJWTProvider", _IAM_WRITE, targets.instance_as_owner, generic_jwt.add_generic_jwt_provider
    ),
    Operation(
        f"{_IAM}.UpdateGenericJWTProvider", _IAM_WRITE, targets.instance_idp, generic_jwt.update_generic_jwt_provider
    ),
    Operation(
        f"{_IAM}.AddGenericOIDCProvider", _IAM_WRITE, targets.instance_as_owner, generic_oidc.add_generic_oidc_provider
    ),
    Operation(
        f"{_IAM}.UpdateGenericOIDCProvider", _IAM_WRITE, targets.instance_idp, generic_oidc.update_generic_oidc_provider
    ),
    Operation(f"{_IAM}.GetProviderByID", _IAM_READ, targets.readable_instance_idp, templates.get_provider),
    Operation(f"{_IAM}.ListProviders", _IAM_READ, targets.instance_to_list, templates.list_providers),
    Operation(f"{_IAM}.DeleteProvider", _IAM_WRITE, targets.instance_idp, idp_states.remove_idp),
    Operation(f"{_IAM}.UpdateIDP", _IAM_WRITE, targets.instance_idp, update_idp.update_idp),
    Operation(f"{_IAM}.UpdateIDPJWTConfig", _IAM_WRITE, targets.instance_idp, update_idp.update_jwt_config),
    Operation(f"{_IAM}.UpdateIDPOIDCConfig", _IAM_WRITE, targets.instance_idp, update_idp.update_oidc_config),
    Operation(f"{_IAM}.DeactivateIDP", _IAM_WRITE, targets.instance_idp, idp_states.deactivate_idp),
    Operation(f"{_IAM}.ReactivateIDP", _IAM_WRITE, targets.instance_idp, idp_states.reactivate_idp),
    Operation(f"{_IAM}.RemoveIDP", _IAM_WRITE, targets.instance_idp, idp_states.remove_idp),
)
