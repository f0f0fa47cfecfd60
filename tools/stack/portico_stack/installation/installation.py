from __future__ import annotations

import base64
import secrets
from pathlib import Path
from typing import Final

import msgspec
from portico_contracts.catalogue import BUS_USERS

from portico_stack.machine.ports import free_pair, free_port, is_free
from portico_stack.machine.private_files import write_private
from portico_stack.servers import mongo_names, redis

SEALING_SERVICES: Final = ("keys", "users", "console")

_FILE: Final = "installation.json"


class Installation(msgspec.Struct, kw_only=True):
    """One local installation. The file is readable only by its owner.

    Attributes:
        asked_port: the gateway port requested at the last start.
        applied: digest of the demo document applied by a release before the console; no longer written.
        declared: digests of the documents applied last, by name.
        profile: empty in an installation from before there were profiles.
        master_key: shared by keys and users before each had its own; it still unseals. Empty in newer
            installations.
    """

    bus_passwords: dict[str, str]
    redis_passwords: dict[str, str]
    mongo_passwords: dict[str, str]
    mongo_member_key: str
    login_api_key: str
    admin_password: str
    demo_client_secret: str
    asked_port: int = 0
    https: bool = False
    ports: dict[str, int] = {}
    applied: str = ""
    declared: dict[str, str] = {}
    profile: str = ""
    first_run: bool = False
    sealing_keys: dict[str, str] = {}
    master_key: str = ""
    console_client_key: str = ""
    member_passwords: dict[str, str] = {}

    @property
    def has_data(self) -> bool:
        """Reports whether documents were applied, so that the installation is not new."""
        return bool(self.applied or self.declared)

    def __repr__(self) -> str:
        """Omits the fields, nearly all of which are secret."""
        return "Installation(...)"

    def master_keys_of(self, service: str) -> str:
        """The setting ``PORTICO_MASTER_KEYS`` of one service: its own key seals, the old shared one unseals.

        The installation of a release before each service had its own has only the shared one.
        """
        return ",".join(filter(None, (self.sealing_keys.get(service), self.master_key)))

    def save(self, data: Path) -> None:
        write_private(data / _FILE, msgspec.json.format(msgspec.json.encode(self)).decode())


def find_installation(data: Path) -> Installation | None:
    path = data / _FILE
    return msgspec.json.decode(path.read_bytes(), type=Installation) if path.exists() else None


def load_or_create(data: Path) -> Installation:
    """Loads the installation; creates missing secrets, at first all and later those of newer releases."""
    found = find_installation(data) or _new_installation()
    missing = [service for service in SEALING_SERVICES if service not in found.sealing_keys]
    new_to_redis = [user for user in redis.USERS if user not in found.redis_passwords]
    if missing or new_to_redis or not found.console_client_key or not found.member_passwords:
        found.member_passwords = found.member_passwords or {name: _password() for name in ("redis", "nats")}
        found.console_client_key = found.console_client_key or _new_client_key()
        found.sealing_keys |= {service: _sealing_key() for service in missing}
        found.redis_passwords |= {user: _password() for user in new_to_redis}
        found.save(data)
    return found


def _new_installation() -> Installation:
    return Installation(
        bus_passwords={user: _password() for user in BUS_USERS},
        redis_passwords={user: _password() for user in redis.USERS},
        mongo_passwords={user: _password() for user in (*mongo_names.USERS, mongo_names.ADMIN)},
        mongo_member_key=secrets.token_hex(32),
        login_api_key=_password(),
        admin_password=_readable_password(),
        demo_client_secret=_password(),
    )


def _new_client_key() -> str:
    from portico_stack.installation.console import new_client_key  # noqa: PLC0415  # allow import-place: once in an installation's life

    return new_client_key()


def _sealing_key() -> str:
    return base64.b64encode(secrets.token_bytes(32)).decode()


def _password() -> str:
    # Starts with a letter: configuration formats would read digits as a number.
    return f"p{secrets.token_hex(20)}"


def _readable_password() -> str:
    letters = "abcdefghijkmnpqrstuvwxyz23456789"
    return "-".join("".join(secrets.choice(letters) for _ in range(5)) for _ in range(4))


class PortBook:
    def __init__(self, installation: Installation) -> None:
        self._ports = installation.ports
        self._given: set[int] = set()

    def port(self, name: str) -> int:
        """Returns the port of a listener, and remembers it."""
        return self._give(name, self._ports.get(name))

    def pair(self, name: str, distance: int) -> int:
        """Returns the port of a listener with a second one at `distance` above it."""
        port = free_pair(self._ports.get(name), distance)
        self._given |= {port, port + distance}
        self._ports[name] = port
        return port

    def gateway_port(self, installation: Installation, asked: int, *, https: bool) -> int:
        """The gateway's port is part of the issuer: the same request gets last time's port, even a replacement.

        0 requests any port.
        """
        as_before = (asked, https) == (installation.asked_port, installation.https)
        preferred = self._ports.get("gateway", asked) if as_before or not asked else asked
        installation.asked_port, installation.https = asked, https
        return self._give("gateway", preferred if preferred and is_free(preferred) else asked or None)

    def _give(self, name: str, preferred: int | None) -> int:
        port = free_port(preferred if preferred not in self._given else None)
        while port in self._given:
            port = free_port()
        self._given.add(port)
        self._ports[name] = port
        return port
