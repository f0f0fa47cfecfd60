"""Creating, reading, listing and importing users."""

from __future__ import annotations

import asyncio
import json
import secrets
import time
from statistics import quantiles
from typing import Any, Final

import argon2

from bench.operation import Driven
from bench.populating import row
from bench.preparing import Ground, NotServed, PreparationFailed
from bench.wrk import Drive, Load

USERS: Final = "/v2/users"
HUMANS: Final = f"{USERS}/human"
LISTED: Final = json.dumps(
    {"query": {"offset": "0", "limit": 20, "asc": True}, "sortingColumn": "USER_FIELD_NAME_USER_NAME"}
)
_STORED: Final = 32
"""Users that are read, in turn."""
_PORTION: Final = 100
_AT_ONCE: Final = 2
"""Portions of an import as `portico user import` sends them."""


def human(name: str) -> dict[str, Any]:
    """A user without a password: hashing one is measured where people sign in."""
    return {
        "userId": name,
        "username": name,
        "profile": {"firstName": "Bench", "lastName": name},
        "email": {"email": f"{name}@mail.example.test", "isVerified": True},
    }


async def creating(ground: Ground) -> tuple[dict[str, str], str]:
    """Headers, and a body in which NAME is replaced by a name that is new each time."""
    # The script puts thread and number behind it; no earlier run has the same beginning.
    return await ground.management_headers(), json.dumps(human(f"NAME{secrets.token_hex(6)}"))


async def created(ground: Ground) -> tuple[dict[str, str], list[str]]:
    """Headers, and the ids of users that are stored.

    Raises:
        PreparationFailed: when they cannot be created.
    """
    headers = await ground.management_headers()
    if not ground.user_ids:
        names = [f"read-{secrets.token_hex(6)}" for _ in range(_STORED)]
        for name in names:
            answer = await ground.http.post(f"{ground.target.issuer}{HUMANS}", json=human(name), headers=headers)
            if answer.status_code != 200:
                raise PreparationFailed(f"a user cannot be created: {answer.status_code} {answer.text[:300]}")
        ground.user_ids = names
    return headers, ground.user_ids


async def importing(ground: Ground) -> Driven:
    """Imports new users with a hash that was computed elsewhere, until the time is up.

    Raises:
        NotServed: when the target has no import.
    """
    import_rows = ground.target.import_rows
    if import_rows is None:
        raise NotServed("there is no import")
    hash = argon2.PasswordHasher(time_cost=2, memory_cost=19_456, parallelism=1).hash(secrets.token_hex(16))

    async def drive(wanted: Drive) -> Load:
        began, took, users = time.perf_counter(), list[float](), 0

        async def work() -> None:
            nonlocal users
            while time.perf_counter() - began < wanted.seconds:
                beginning = time.perf_counter()
                await import_rows([row(f"import-{secrets.token_hex(8)}", hash) for _ in range(_PORTION)])
                took.append((time.perf_counter() - beginning) * 1e6)
                users += _PORTION

        await asyncio.gather(*(work() for _ in range(_AT_ONCE)))
        shares = quantiles(took, n=100) if len(took) > 1 else took * 99
        return Load((time.perf_counter() - began) * 1e6, len(took), users, shares[49], shares[94], shares[98])

    return Driven(drive)
