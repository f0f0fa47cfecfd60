"""The operations on the settings and signing keys of the instance."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Final

from portico_users.administrators.permissions import Permission
from portico_users.instance.api import instance as admin_v1
from portico_users.instance.api.instance import get_intent_settings
from portico_users.instance.targets import the_instance
from portico_users.management_api.protobuf.changing import changing
from portico_users.management_api.protobuf.details import as_read
from portico_users.management_api.transport.operation import Operation
from portico_users.policies.edit_policies import AllowImpersonation, SetIntentUrls, SetTokenLifetimes

_SETTINGS: Final = "portico.admin.v1.SettingsService"


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
)


_SIGNING_KEYS: Final = "portico.admin.v1.SigningKeyService"


SIGNING_KEYS: Final[tuple[Operation, ...]] = (
    Operation(f"{_SIGNING_KEYS}.ListSigningKeys", Permission.IAM_READ, the_instance, admin_v1.list_signing_keys),
    Operation(f"{_SIGNING_KEYS}.RotateSigningKeys", Permission.IAM_WRITE, the_instance, admin_v1.rotate_signing_keys),
    Operation(f"{_SIGNING_KEYS}.RevokeSigningKey", Permission.IAM_WRITE, the_instance, admin_v1.revoke_signing_key),
)
