from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Final, Unpack

from portico_users.administrators.permissions import Permission
from portico_users.end_users.messages import links_of
from portico_users.end_users.usable_links import AddIdpLink, RemoveIdpLink
from portico_users.identity_providers.api import (
    accepted_assertions,
    idp_links,
    read_idps,
    trial_sign_ins,
    write_idps,
)
from portico_users.identity_providers.api.config_mappings import JWT_CONFIG, LDAP_CONFIG, OLDER_OIDC, ConfigMapping
from portico_users.identity_providers.api.preset_mappings import PRESET_MAPPINGS
from portico_users.identity_providers.edit_providers import RemoveIdp, UpdateIdp
from portico_users.journal.command import Command
from portico_users.management_api.protobuf.changing import Change, Value, changing
from portico_users.management_api.protobuf.details import as_read
from portico_users.management_api.protobuf.target_user import changing_end_user
from portico_users.management_api.transport.call import Target
from portico_users.management_api.transport.operation import Operation
from portico_users.management_api.transport.targets import instance_as_owner, named_user, org_as_owner
from portico_users.states import Deactivate, Reactivate

_ORG: Final = "portico.management.v1.IDPService"
_IAM: Final = "portico.admin.v1.IDPService"
_USER: Final = "portico.user.v2.UserService"
_READ: Final = Permission.USER_READ
_WRITE: Final = Permission.USER_WRITE
_LINK: Final = ("idp_id", "linked_user_id")

_MAPPINGS: Final[tuple[tuple[str, ConfigMapping], ...]] = (
    ("GenericJWT", JWT_CONFIG),
    ("LDAP", LDAP_CONFIG),
    *((mapping.word, mapping) for mapping in PRESET_MAPPINGS),
)
"""By what the names of the methods have for the kind."""

_MIGRATION: Final[Change] = {"after": write_idps.migrated, "act": write_idps.migrate}

_Operations = tuple[Operation, ...]
_Find = Callable[..., Awaitable[Target[object]]]


def _of(
    org: str,
    read: Permission,
    write: Permission,
    *,
    owner: _Find,
    owners: _Find,
    readable: _Find,
    own: _Find,
) -> _Operations:
    service = _ORG if org else _IAM

    def changed(method: str, command: type[Command], *values: Value, **change: Unpack[Change]) -> Operation:
        change["answer"] = as_read
        return changing(f"{service}.{method}", write, own, command, *values, **change)

    def removed(method: str) -> Operation:
        return changing(f"{service}.{method}", write, own, RemoveIdp, answer=as_read)

    def added(method: str, mapping: ConfigMapping) -> Operation:
        name = f"{service}.{method}"
        return Operation(name, write, owner, write_idps.adding(name, mapping))

    def updated(method: str, mapping: ConfigMapping) -> Operation:
        return changed(method, UpdateIdp, mapping.secret, after=write_idps.updated_by(mapping), places=mapping.places)

    return (
        Operation(f"{service}.Get{org}IDPByID", read, readable, read_idps.get_idp),
        Operation(f"{service}.List{org}IDPs", read, owners, read_idps.list_idps),
        added(f"Add{org}JWTIDP", JWT_CONFIG),
        added(f"Add{org}OIDCIDP", OLDER_OIDC),
        Operation(f"{service}.GetProviderByID", read, readable, read_idps.get_provider),
        Operation(f"{service}.GetProviderUsage", read, own, read_idps.get_provider_usage),
        Operation(f"{service}.ListProviders", read, owners, read_idps.list_providers),
        Operation(f"{service}.StartProviderTest", write, own, trial_sign_ins.start_test),
        Operation(f"{service}.GetProviderTest", write, own, trial_sign_ins.get_test),
        removed("DeleteProvider"),
        changed(f"Update{org}IDP", UpdateIdp, after=write_idps.with_request),
        updated(f"Update{org}IDPJWTConfig", JWT_CONFIG),
        updated(f"Update{org}IDPOIDCConfig", OLDER_OIDC),
        changed(f"Deactivate{org}IDP", Deactivate),
        changed(f"Reactivate{org}IDP", Reactivate),
        removed(f"Remove{org}IDP"),
        changed("MigrateGenericOIDCProvider", UpdateIdp, write_idps.secret_of_migrated, **_MIGRATION),
        *(added(f"Add{word}Provider", mapping) for word, mapping in _MAPPINGS),
        *(updated(f"Update{word}Provider", mapping) for word, mapping in _MAPPINGS),
    )


IDPS: Final[_Operations] = (
    *_of(
        "Org",
        Permission.ORG_IDP_READ,
        Permission.ORG_IDP_WRITE,
        owner=org_as_owner,
        owners=read_idps.owners_to_list,
        readable=read_idps.readable_idp,
        own=read_idps.own_idp,
    ),
    *_of(
        "",
        Permission.IAM_IDP_READ,
        Permission.IAM_IDP_WRITE,
        owner=instance_as_owner,
        owners=read_idps.instance_to_list,
        readable=read_idps.instance_idp,
        own=read_idps.instance_idp,
    ),
    Operation(
        f"{_ORG}.GetAcceptedAssertions",
        Permission.ORG_IDP_READ,
        read_idps.own_idp,
        accepted_assertions.get_accepted_assertions,
    ),
    changing(
        f"{_ORG}.SetAcceptedAssertions",
        Permission.ORG_IDP_WRITE,
        read_idps.own_idp,
        UpdateIdp,
        after=accepted_assertions.with_assertions,
    ),
    Operation(f"{_ORG}.ListHumanLinkedIDPs", _READ, named_user, idp_links.list_human_linked_idps, own=True),
    changing_end_user(f"{_ORG}.RemoveHumanLinkedIDP", _WRITE, RemoveIdpLink, *_LINK, own=True, changes_part=True),
    changing_end_user(
        f"{_USER}.AddIDPLink", _WRITE, AddIdpLink, lambda asked: links_of([asked.idp_link])[0], changes_part=True
    ),
    Operation(f"{_USER}.ListIDPLinks", _READ, named_user, idp_links.list_idp_links, own=True),
    changing_end_user(f"{_USER}.RemoveIDPLink", _WRITE, RemoveIdpLink, *_LINK, own=True, changes_part=True),
    *(
        Operation(f"{_USER}.{name}", Permission.IAM_IDP_INTENT, idp_links.org_of_intent, handle)
        for name, handle in (
            ("StartIdentityProviderIntent", idp_links.start_intent),
            ("RetrieveIdentityProviderIntent", idp_links.retrieve_intent),
        )
    ),
)
