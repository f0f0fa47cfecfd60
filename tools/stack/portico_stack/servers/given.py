"""Servers provided by the operator: a URL in the environment is used instead of starting one.

``PORTICO_STACK_REDIS_URL`` and ``PORTICO_STACK_MONGO_URL`` contain the credentials of a user that may create
users. The users of NATS are in its configuration (``deploy/nats/permissions.conf``), so with
``PORTICO_STACK_NATS_URL`` their passwords are given as ``PORTICO_STACK_BUS_PASSWORD_<USER>``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final
from urllib.parse import urlsplit, urlunsplit

from portico_contracts.catalogue import BUS_USERS, OPERATOR

from portico_stack.servers import nats, redis

REDIS_URL: Final = "PORTICO_STACK_REDIS_URL"
MONGO_URL: Final = "PORTICO_STACK_MONGO_URL"
NATS_URL: Final = "PORTICO_STACK_NATS_URL"


class PasswordMissing(ValueError):
    pass


@dataclass(frozen=True)
class _Given:
    """A server that is there already."""

    admin_url: str = field(repr=False)
    passwords: Mapping[str, str] = field(repr=False)

    @property
    def url(self) -> str:
        """Address without credentials."""
        return without_credentials(self.admin_url)


class GivenRedis(_Given):
    async def prepare(self) -> None:
        await redis.create_users(self.admin_url, self.passwords)


class GivenMongo(_Given):
    async def prepare(self) -> None:
        from portico_stack.servers import mongo_admin  # noqa: PLC0415  # allow import-place: only the start needs it

        await mongo_admin.create_users_at(self.admin_url, self.passwords)


@dataclass(frozen=True)
class GivenNats:
    url: str
    passwords: Mapping[str, str] = field(repr=False)

    async def prepare(self) -> None:
        from portico_stack.servers import nats_stream  # noqa: PLC0415  # allow import-place: only the start needs it

        await nats_stream.create(self.url, self.passwords[OPERATOR])


def given_bus_passwords(environment: Mapping[str, str]) -> dict[str, str]:
    for user in BUS_USERS:
        if not environment.get(nats.password_variable(user)):
            raise PasswordMissing(f"{NATS_URL} is set, so {nats.password_variable(user)} is required too.")
    return {user: environment[nats.password_variable(user)] for user in BUS_USERS}


def without_credentials(url: str) -> str:
    parts = urlsplit(url)
    query = "&".join(word for word in parts.query.split("&") if word and not word.lower().startswith("authsource="))
    return urlunsplit(parts._replace(netloc=parts.netloc.rpartition("@")[2], query=query))
