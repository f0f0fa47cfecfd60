"""The population of a measured stack, prepared once and stored: a data directory and who is signed in there.

The directory holds a stack's data as `make up` leaves it, and one file with the members. Every run works on a copy,
so that tokens stay as they were. It is prepared anew when it has too few people, when tokens are about to expire,
and when the first of them are not active in the stack that was started from it.
"""

from __future__ import annotations

import asyncio
import shutil
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final

import argon2
import httpx
import msgspec
from portico_contracts.catalogue import OPERATOR
from portico_contracts.http import DISCOVERY
from portico_journeys.relying_party import Client
from portico_stack.layout import StackOptions
from portico_stack.operator_bus import operator_bus
from portico_stack.private_files import write_private
from portico_stack.stack import Stack

from bench.client_authentication import credentials
from bench.members import Member
from bench.populating import Entrance, import_all, row, sign_all_in
from bench.stack_cast import ORGANIZATION, SETTINGS, document, new_cast, with_robots
from bench.target import Cast, Person

Say = Callable[[str], None]
SIGN_IN_PEOPLE: Final = 100
"""Who has a password hash of the usual cost, for the sign-in operation."""

_FORMAT: Final = 1
_LIFETIME: Final = 6 * 3600.0
"""Seconds; below the lifetime of everything that was issued, with time for the longest run."""
_SAMPLE: Final = 3
_FILE: Final = "members.json"
_CHEAP: Final = {"PORTICO_ARGON2_MEMORY_KIB": "8", "PORTICO_ARGON2_PASSES": "1", "PORTICO_HASHING_WORKERS": "2"}


class Registered(msgspec.Struct, frozen=True):
    """A client, or an end user, and their secret."""

    name: str
    secret: str

    def __repr__(self) -> str:
        """Without the secret."""
        return f"Registered({self.name})"


class Population(msgspec.Struct, frozen=True):
    """What the file holds.

    Attributes:
        format: of this file.
        until: seconds since the epoch; from then on it is prepared anew.
    """

    format: int
    issuer: str
    until: float
    redirect_uri: str
    clients: tuple[Registered, ...]
    robots: tuple[Registered, ...]
    people: tuple[Registered, ...]
    members: tuple[Member, ...]

    def cast(self, people: int) -> Cast:
        """The cast with so many of the members."""
        return Cast(
            clients=tuple(Client(one.name, self.redirect_uri, one.secret) for one in self.clients),
            robots=tuple(Client(one.name, "", one.secret) for one in self.robots),
            people=tuple(Person(one.name, one.secret) for one in self.people),
            members=self.members[:people],
        )


def find_population(folder: Path, people: int, now: float) -> Population | None:
    """What the folder holds, or None when it does not do.

    Args:
        people: how many are wanted.
        now: seconds since the epoch.
    """
    try:
        found = msgspec.json.decode((folder / _FILE).read_bytes(), type=Population)
    except (OSError, msgspec.MsgspecError):
        return None
    fits = found.format == _FORMAT and len(found.members) >= people and now < found.until
    return found if fits else None


async def prepare_population(folder: Path, people: int, say: Say) -> Population:
    """Fills the folder, which is emptied first.

    Raises:
        PopulatingFailed, StartFailed, ServiceError: with a sentence; the folder then holds no population.
    """
    began = time.monotonic()
    say(f"preparing {people:,} people in {folder}; the next runs find them there")
    await asyncio.to_thread(_empty, folder)
    extra = {**SETTINGS, "users": _CHEAP}
    stack = Stack(StackOptions(data=folder / "stack", port=0, extra_env=extra), say)
    try:
        await stack.start()
        found = await _populate(stack, people, say)
    finally:
        await stack.stop()
    write_private(folder / _FILE, msgspec.json.encode(found).decode())
    say(f"{people:,} people are prepared after {time.monotonic() - began:.0f} s")
    return found


def _empty(folder: Path) -> None:
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True, mode=0o700)


async def copy_population(folder: Path, data: Path) -> None:
    """Copies the stack's data; what a run changes is deleted with the copy."""
    await asyncio.to_thread(shutil.copytree, folder / "stack", data)


async def is_usable(population: Population, http: httpx.AsyncClient, issuer: str) -> bool:
    """True when a stack that was started from it is at the same address and knows the first tokens."""
    if issuer != population.issuer:
        return False
    metadata = await _discover(http, issuer)
    headers, fields = credentials(population.cast(0).clients[0])
    for member in population.members[:_SAMPLE]:
        for token in member.tokens.values():
            answer = await http.post(
                metadata["introspection_endpoint"], data={"token": token, **fields}, headers=headers
            )
            if answer.status_code != 200 or answer.json().get("active") is not True:
                return False
    return True


async def _populate(stack: Stack, people: int, say: Say) -> Population:
    cast = new_cast()
    cast = with_robots(cast, await stack.apply(document(cast)))
    password, shared = cast.clients[0].secret, stack.layout.shared
    names = [f"member-{number}" for number in range(people)]
    regulars = [f"regular-{number}" for number in range(SIGN_IN_PEOPLE)]
    cheap = argon2.PasswordHasher(time_cost=1, memory_cost=8, parallelism=1).hash(password)
    usual = argon2.PasswordHasher(time_cost=2, memory_cost=19_456, parallelism=1).hash(password)
    rows = [*(row(name, usual) for name in regulars), *(row(name, cheap) for name in names)]
    async with operator_bus(shared.bus_url, shared.bus_passwords[OPERATOR]) as bus:
        await import_all(bus, rows, ORGANIZATION)
    say(f"  {len(rows):,} people are imported")
    async with httpx.AsyncClient(trust_env=False, timeout=30) as http:
        metadata = await _discover(http, stack.issuer)
    entrance = Entrance(
        stack.issuer, metadata, shared.authz_url, stack.installation.login_api_key, cast.clients, password
    )
    return Population(
        format=_FORMAT,
        issuer=stack.issuer,
        until=time.time() + _LIFETIME,  # noqa: TID251 - it outlives the process
        redirect_uri=cast.clients[0].redirect_uri,
        clients=_registered(cast.clients),
        robots=_registered(cast.robots),
        people=tuple(Registered(name, password) for name in regulars),
        members=tuple(await sign_all_in(entrance, names, say)),
    )


def _registered(clients: Sequence[Client]) -> tuple[Registered, ...]:
    return tuple(Registered(client.client_id, client.secret) for client in clients)


async def _discover(http: httpx.AsyncClient, issuer: str) -> dict[str, Any]:
    answer = await http.get(f"{issuer}{DISCOVERY}")
    found: dict[str, Any] = answer.raise_for_status().json()
    return found
