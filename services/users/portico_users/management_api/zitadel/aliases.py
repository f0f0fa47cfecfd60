"""The operation that performs each method of ZITADEL's SDKs: one with nearly the same messages, or a few lines of `users`."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, Final

from google.protobuf.message import Message
from portico_contracts.management import METHODS
from portico_contracts.zitadel.methods import ZITADEL_METHODS

from portico_users.management_api.zitadel import settings
from portico_users.management_api.zitadel.calls import TheirCall
from portico_users.management_api.zitadel.copying import copy_answer, copy_request
from portico_users.management_api.zitadel.users import create_user, update_user

Handle = Callable[[TheirCall[Any], Any], Awaitable[None]]
"""Performs a call and fills the response."""


def _alias(operation: str) -> Handle:
    async def handle(call: TheirCall[Message], response: Message) -> None:
        copy_answer(await call.perform(operation, copy_request), response)

    return handle


_USERS: Final = "zitadel.user.v2.UserService"
_SETTINGS: Final = "zitadel.settings.v2.SettingsService"

OPERATIONS: Final[dict[str, str]] = {
    name: ours
    for name in ZITADEL_METHODS
    if name.startswith(f"{_USERS}.") and (ours := name.replace("zitadel.", "portico.", 1)) in METHODS
}
"""The operation with the same name."""

HANDLERS: Final[dict[str, Handle]] = {
    **{name: _alias(ours) for name, ours in OPERATIONS.items()},
    f"{_USERS}.CreateUser": create_user,
    f"{_USERS}.UpdateUser": update_user,
    f"{_SETTINGS}.GetLoginSettings": settings.settings("Login", settings.login),
    f"{_SETTINGS}.GetPasswordComplexitySettings": settings.settings("PasswordComplexity", settings.complexity),
    f"{_SETTINGS}.GetPasswordExpirySettings": settings.settings("PasswordAge", settings.same_names),
    f"{_SETTINGS}.GetLockoutSettings": settings.settings("Lockout", settings.same_names),
    f"{_SETTINGS}.GetLegalAndSupportSettings": settings.settings("Privacy", settings.legal),
    f"{_SETTINGS}.GetBrandingSettings": settings.settings("Label", settings.branding),
    f"{_SETTINGS}.GetActiveIdentityProviders": settings.active_identity_providers,
}
