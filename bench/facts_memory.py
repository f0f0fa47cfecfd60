"""What a replica holds for each person it remembers (decision 0039): ``python -m bench.facts_memory [PEOPLE]``."""

from __future__ import annotations

import asyncio
import gc
import os
import sys
from collections.abc import Awaitable, Callable
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from typing import Any, Final, TypeVar

from portico_contracts.users import ProjectAccess, Roles, User, UserClaims, UserFound
from portico_runtime.clock import SystemClock
from portico_runtime.facts import keys
from portico_runtime.facts.dated import Dated
from portico_runtime.facts.memory import FactMemory
from portico_runtime.facts.remembered import BETWEEN
from portico_stack.processes import mebibytes

Facts = TypeVar("Facts")

PEOPLE: Final = 20_000
ORG: Final = "283746105938471650"
PROJECT: Final = "283746105938471999"


class _Directory:
    """Implements `portico_runtime.facts.lease.VersionReader`: nothing ever changes."""

    async def read(self, user_id: str) -> str:
        """See `VersionReader.read`."""
        return _version(user_id)

    async def read_any(self) -> str:
        """See `VersionReader.read_any`."""
        return "unchanged"

    async def read_all(self) -> dict[str, str]:
        """See `VersionReader.read_all`."""
        return {keys.ANY: "unchanged"}


def _version(user_id: str) -> str:
    return f"{int(user_id):024x}"


def _user(id: str) -> User:
    name = f"person.{id[-6:]}"
    return User(
        user_id=id,
        org_id=ORG,
        user_name=name,
        login_name=f"{name}@customers.example.test",
        human=True,
        display_name=f"Persephone Example {id[-6:]}",
        has_password=True,
        email_verified=True,
        password_changed=1_790_000_000.0,
        version=_version(id),
    )


def _claims(id: str) -> UserClaims:
    user = _user(id)
    claims: dict[str, str | int | bool | dict[str, str]] = {
        "name": user.display_name,
        "given_name": "Persephone",
        "family_name": f"Example {id[-6:]}",
        "preferred_username": user.login_name,
        "locale": "en",
        "updated_at": 1_790_000_000,
        "email": f"{user.user_name}@mail.example.test",
        "email_verified": True,
    }
    return UserClaims(user=user, claims=claims, org_name="Customers", org_domain="customers.example.test")


def _roles(id: str) -> Roles:
    return Roles(roles={PROJECT: {"reader": {ORG: "customers.example.test"}}}, version=_version(id))


def _found(id: str) -> UserFound:
    return UserFound(user=_user(id))


def _access(id: str) -> ProjectAccess:
    return ProjectAccess(has_role=True, has_project=True, version=_version(id))


def _answer(make: Callable[[str], Facts], depends_on: str) -> Callable[[str, str], Awaitable[Dated[Facts]]]:
    async def ask(key: str, _version_seen: str) -> Dated[Facts]:
        id = key.partition(BETWEEN)[0]
        return Dated(make(id), _version(id), depends_on)

    return ask


KINDS: Final[dict[str, tuple[Any, Callable[[str], Any], str, str]]] = {
    "token: claims": (UserClaims, _claims, keys.organization(ORG).field, ""),
    "token: roles": (Roles, _roles, keys.ANY, PROJECT),
    "token, authz: access to a project": (ProjectAccess, _access, keys.ANY, PROJECT),
    "authz: user": (UserFound, _found, keys.organization(ORG).field, ""),
}
"""What the services remember: the kind, an answer of users, what it depends on, and what a key has beside the id."""


async def _measure(kind: str, people: int) -> float:
    memory = FactMemory(_Directory(), SystemClock(), most=people)
    facts, make, depends_on, more = KINDS[kind]
    remembered = memory.remember(facts, _answer(make, depends_on))
    await memory.lease.poll()
    gc.collect()
    before = mebibytes((os.getpid(),))
    for number in range(people):
        if number % 1_000 == 0:
            await memory.lease.poll()
        id = str(283_746_105_000_000_000 + number * 7_919)
        await remembered.get(BETWEEN.join((id, more)) if more else id, _version(id))
    gc.collect()
    return (mebibytes((os.getpid(),)) - before) * 1_048_576 / people


def bytes_of(kind: str, people: int) -> float:
    """What this process holds for each person after all were asked about; only the first answer of a process is right."""
    return asyncio.run(_measure(kind, people))


def main() -> None:
    """Prints a line for each kind, each measured in a process of its own."""
    people = int(sys.argv[1]) if len(sys.argv) > 1 else PEOPLE
    for kind in KINDS:
        with ProcessPoolExecutor(1, get_context("spawn")) as process:
            found = process.submit(bytes_of, kind, people).result()
        sys.stdout.write(f"{kind}: {found:.0f} bytes for each of {people} people\n")


if __name__ == "__main__":
    main()
