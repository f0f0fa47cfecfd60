"""What becomes of secrets and keys when an application changes."""

from __future__ import annotations

import msgspec
from portico_contracts.users import AuthMethod
from portico_oauth.errors import ErrorCode, Kind
from portico_oauth.opaque import RandomBytes, fingerprint

from portico_users.directory.apps.app_record import NEEDS_SECRET, App
from portico_users.directory.apps.client_secrets import new_secret

HAS_NO_SECRET = ErrorCode(
    "USER-707",
    Kind.FAILED_PRECONDITION,
    "An application with this authentication method has no secret.",
    "Give it the method BASIC or POST first.",
)
HAS_NO_KEYS = ErrorCode(
    "USER-708",
    Kind.FAILED_PRECONDITION,
    "An application with this authentication method has no keys.",
    "Give it the method PRIVATE_KEY_JWT first.",
)


def with_new_secret(app: App, random: RandomBytes) -> tuple[App, str]:
    """The application with another secret, and the secret.

    Raises:
        ServiceError: USER-707 where its method proves none.
    """
    if app.auth_method not in NEEDS_SECRET:
        raise HAS_NO_SECRET.error()
    secret = new_secret(random)
    return msgspec.structs.replace(app, secret_hash=fingerprint(secret)), secret


def without_needless_secret(app: App) -> App:
    """The application; without a secret where its method proves none, so that none comes back with the method."""
    return app if app.auth_method in NEEDS_SECRET else msgspec.structs.replace(app, secret_hash="")


def require_keys(app: App) -> None:
    """Raises USER-708 where its method signs nothing."""
    if app.auth_method is not AuthMethod.PRIVATE_KEY_JWT:
        raise HAS_NO_KEYS.error()
