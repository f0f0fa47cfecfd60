"""The operations on the settings and signing keys of the instance."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Final

from portico_users.api.admin_v1 import settings
from portico_users.api.admin_v1 import signing_keys as keys
from portico_users.api.admin_v1.settings import get_intent_settings
from portico_users.api.management_v1.policies import the_instance
from portico_users.api.shared.changing import changing
from portico_users.api.shared.details import as_read
from portico_users.api.transport.operation import Operation
from portico_users.commands.policies import SetIntentUrls, SetTokenLifetimes
from portico_users.directory.members.permissions import Permission

_IAM: Final = "portico.admin.v1.SettingsService"


def _setting(verb: str, act: Callable[..., Awaitable[object]] | None = None) -> Operation:
    name, write = f"{_IAM}.{verb}OIDCSettings", Permission.IAM_WRITE
    return changing(name, write, the_instance, SetTokenLifetimes, settings.lifetimes_of, answer=as_read, act=act)


SETTINGS: Final[tuple[Operation, ...]] = (
    Operation(f"{_IAM}.GetOIDCSettings", Permission.IAM_READ, the_instance, settings.get_settings),
    _setting("Add", act=SetTokenLifetimes.add),
    _setting("Update"),
    Operation(f"{_IAM}.GetIDPIntentSettings", Permission.IAM_READ, the_instance, get_intent_settings),
    changing(f"{_IAM}.SetIDPIntentSettings", Permission.IAM_WRITE, the_instance, SetIntentUrls, "urls", answer=as_read),
)


_SIGNING_KEYS: Final = "portico.admin.v1.SigningKeyService"

SIGNING_KEYS: Final[tuple[Operation, ...]] = (
    Operation(f"{_SIGNING_KEYS}.ListSigningKeys", Permission.IAM_READ, the_instance, keys.list_signing_keys),
    Operation(f"{_SIGNING_KEYS}.RotateSigningKeys", Permission.IAM_WRITE, the_instance, keys.rotate_signing_keys),
    Operation(f"{_SIGNING_KEYS}.RevokeSigningKey", Permission.IAM_WRITE, the_instance, keys.revoke_signing_key),
)
