"""Creating and reading users through the management API."""

from __future__ import annotations

import json
import secrets
from typing import Any, Final

from bench.preparing import Ground, PreparationFailed

HUMANS: Final = "/v2/users/human"
_KEPT: Final = 32
"""Users that are read, in turn."""


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
    """Headers, and the ids of users that are there.

    Raises:
        PreparationFailed: when they cannot be created.
    """
    headers = await ground.management_headers()
    names = [f"read-{secrets.token_hex(6)}" for _ in range(_KEPT)]
    for name in names:
        answer = await ground.http.post(f"{ground.target.issuer}{HUMANS}", json=human(name), headers=headers)
        if answer.status_code != 200:
            raise PreparationFailed(f"a user cannot be created: {answer.status_code} {answer.text[:300]}")
    return headers, names
