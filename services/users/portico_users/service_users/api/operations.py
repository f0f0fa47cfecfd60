from __future__ import annotations

from typing import Final

from portico_users.administrators.permissions import Permission
from portico_users.management_api.protobuf.changing import changing
from portico_users.management_api.protobuf.details import as_deleted
from portico_users.management_api.transport.operation import Operation
from portico_users.management_api.transport.targets import own_or_named_org, readable_orgs
from portico_users.service_users.api import service_users_v1 as service_users
from portico_users.service_users.api import service_users_v2 as user_v2
from portico_users.service_users.api import trusted_workloads as workloads
from portico_users.service_users.api.service_users_v1 import named_service_user
from portico_users.service_users.commands import PersonalTokens, ServiceUserKeys, ServiceUserSecret, UpdateServiceUser

_OF: Final = "portico.management.v1.ServiceUserService"
_USER_V2: Final = "portico.user.v2.UserService"
_READ: Final = Permission.USER_READ
_WRITE: Final = Permission.USER_WRITE

SERVICE_USERS: Final[tuple[Operation, ...]] = (
    Operation(f"{_OF}.AddMachineUser", _WRITE, own_or_named_org, service_users.add_machine_user),
    changing(f"{_OF}.UpdateMachine", _WRITE, named_service_user, UpdateServiceUser, after=service_users.with_settings),
    Operation(f"{_OF}.GenerateMachineSecret", _WRITE, named_service_user, service_users.generate_machine_secret),
    changing(f"{_OF}.RemoveMachineSecret", _WRITE, named_service_user, ServiceUserSecret, act=ServiceUserSecret.remove),
    changing(
        f"{_OF}.RemovePreviousMachineSecret",
        _WRITE,
        named_service_user,
        ServiceUserSecret,
        act=ServiceUserSecret.remove_previous,
    ),
    Operation(f"{_OF}.AddMachineKey", _WRITE, named_service_user, service_users.add_machine_key, changes_part=True),
    Operation(f"{_OF}.GetMachineKeyByIDs", _READ, named_service_user, service_users.get_machine_key_by_ids),
    changing(
        f"{_OF}.RemoveMachineKey",
        _WRITE,
        named_service_user,
        ServiceUserKeys,
        "key_id",
        act=ServiceUserKeys.remove,
        changes_part=True,
    ),
    Operation(f"{_OF}.ListMachineKeys", _READ, named_service_user, service_users.list_machine_keys),
    changing(
        f"{_OF}.SetMachineTrustedWorkloads",
        _WRITE,
        named_service_user,
        UpdateServiceUser,
        after=workloads.with_workloads,
    ),
    Operation(f"{_OF}.GetMachineTrustedWorkloads", _READ, named_service_user, workloads.get_trusted_workloads),
    Operation(
        f"{_OF}.AddPersonalAccessToken",
        _WRITE,
        named_service_user,
        service_users.add_personal_access_token,
        changes_part=True,
    ),
    Operation(
        f"{_OF}.GetPersonalAccessTokenByIDs", _READ, named_service_user, service_users.get_personal_access_token_by_ids
    ),
    changing(
        f"{_OF}.RemovePersonalAccessToken",
        _WRITE,
        named_service_user,
        PersonalTokens,
        "token_id",
        act=PersonalTokens.remove,
        changes_part=True,
    ),
    Operation(f"{_OF}.ListPersonalAccessTokens", _READ, named_service_user, service_users.list_personal_access_tokens),
    Operation(f"{_USER_V2}.AddKey", _WRITE, named_service_user, user_v2.add_key, changes_part=True),
    changing(
        f"{_USER_V2}.RemoveKey",
        _WRITE,
        named_service_user,
        ServiceUserKeys,
        "key_id",
        act=ServiceUserKeys.remove,
        answer=as_deleted,
        changes_part=True,
    ),
    Operation(f"{_USER_V2}.ListKeys", _READ, readable_orgs, user_v2.list_keys),
    Operation(
        f"{_USER_V2}.AddPersonalAccessToken",
        _WRITE,
        named_service_user,
        user_v2.add_personal_access_token,
        changes_part=True,
    ),
    changing(
        f"{_USER_V2}.RemovePersonalAccessToken",
        _WRITE,
        named_service_user,
        PersonalTokens,
        "token_id",
        act=PersonalTokens.remove,
        answer=as_deleted,
        changes_part=True,
    ),
    Operation(f"{_USER_V2}.ListPersonalAccessTokens", _READ, readable_orgs, user_v2.list_personal_access_tokens),
    Operation(f"{_USER_V2}.AddSecret", _WRITE, named_service_user, user_v2.add_secret),
    changing(
        f"{_USER_V2}.RemoveSecret",
        _WRITE,
        named_service_user,
        ServiceUserSecret,
        act=ServiceUserSecret.remove,
        answer=as_deleted,
    ),
)
