"""Migration from other products: the commands of each guide on a real export, then users sign in with their old
passwords.

Only the data directory and the organization's name differ from the guides.
"""

from __future__ import annotations

import base64
import os
import shutil
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Final, NamedTuple

import pytest
from portico_scenarios import relying_party
from portico_scenarios.agent import Page
from portico_scenarios.guide import Reader, blocks_of
from portico_scenarios.world import World
from portico_users.credentials.totp.time_codes import code_at

pytestmark = [pytest.mark.e2e, pytest.mark.long]

ROOT = Path(__file__).parents[1]
EXPORTS = Path(__file__).parent / "exports"
SIGNER_KEY: Final = "jxspr8Ki0RYycVU8zykbdLGjFQ3McFUH0uiiTvC8pVMXAn210wjLNmdZJzxUECKbm0QsEmYUSDzZvpjeJ9WmXA=="


class Move(NamedTuple):
    """One guide: the file names of its exports, and its expected result."""

    files: Mapping[str, str]
    converted: str
    passwords: Mapping[str, str]
    left_out: str
    apps: Mapping[str, bytes] = {}
    """Secrets of authenticator apps, by login name."""


MOVES = {
    "keycloak": Move(
        {"workshop-realm.json": "keycloak-realm.json"},
        "3 converted, 2 skipped.",
        {"kc-user1": "password", "kc-user2": "nine lamps at the mill", "kc-user3": "two herons on the weir"},
        "kc-left",
        {"kc-user2": b"AbCdEfGhIjKlMnOpQrSt"},
    ),
    "auth0": Move(
        {"users.ndjson": "auth0-users.ndjson", "hashes.ndjson": "auth0-hashes.ndjson"},
        "2 converted, 1 skipped.",
        {"nico@auth0.localhost": "a kettle on the north shelf", "euclid@auth0.localhost": "a kettle on the north shelf"},
        "blocked@auth0.localhost",
    ),
    "zitadel": Move(
        {"export.json": "zitadel.json"},
        "2 converted, 1 skipped.",
        {"z-minnie": "five geese over the marsh", "z-mickey": "five geese over the marsh"},
        "z-nomail",
        {"z-mickey": base64.b32decode("JBSWY3DPEHPK3PXP" * 2)},
    ),
    "firebase": Move(
        {"users.json": "firebase-users.json", "hash-parameters.txt": "firebase-hash-parameters.txt"},
        "1 converted, 2 skipped.",
        {"user1@test.com": "user1password"},
        "disabled@test.com",
    ),
}  # fmt: skip


async def sign_in(world: World, login_name: str, password: str, app: bytes = b"", seconds: float = 0) -> Page:
    """Signs in with a new browser; returns the final page.

    Args:
        app: secret of the user's authenticator app.
        seconds: time offset of the code, so that none is used twice.
    """
    begun = relying_party.begin(world.metadata, world.clients["basic"])
    async with world.agent() as agent:
        page = await agent.sign_in(begun.url, login_name, password)
        if not app or not page.shows("totp-page"):
            return page
        wrong = await agent.press("otp-submit", otp="000000")
        assert wrong.shows("totp-page")
        return await agent.press("otp-submit", otp=code_at(app, time.time() + seconds))


async def follow(world: World, source: str, folder: Path) -> list[str]:
    """Runs the blocks of a guide in a folder with its exports; returns the output of each."""
    (folder / ".venv").symlink_to(ROOT / ".venv")
    for name, export in MOVES[source].files.items():
        shutil.copy(EXPORTS / export, folder / name)
    data = f"--data {world.stack.options.data}"
    replacements = {
        "portico apply": f"portico apply {data}",
        "portico user import": f"portico user import {data}",
        "id: acme": f"id: moved-{source}",
        "--organization acme": f"--organization moved-{source}",
        "name: Acme\n": f"name: Moved from {source}\n",
    }
    reader, outputs = await Reader.begin(folder, os.environ, replacements), []
    try:
        for block in blocks_of(ROOT / f"docs/guides/moving-from-{source}.md"):
            ran = await reader.run(block)
            assert ran.status == 0, ran.output
            outputs.append(ran.output)
    finally:
        await reader.end()
    return outputs


@pytest.mark.parametrize("source", MOVES)
async def test_migrated_users_sign_in_with_their_passwords(world: World, tmp_path: Path, source: str) -> None:
    """The guide's commands migrate users with password and app, and wrong ones are refused (MG-12)."""
    move = MOVES[source]
    applied, checked, imported = await follow(world, source, tmp_path)
    wrong = [await sign_in(world, name, f"{password}!") for name, password in move.passwords.items()]
    first = [await sign_in(world, *pair, move.apps.get(pair[0], b"")) for pair in move.passwords.items()]
    second = [await sign_in(world, *pair, move.apps.get(pair[0], b""), 30) for pair in move.passwords.items()]
    without_code = [await sign_in(world, name, move.passwords[name]) for name in move.apps]
    left_out = await sign_in(world, move.left_out, next(iter(move.passwords.values())))
    number = len(move.passwords)

    assert "created" in applied
    assert move.converted in checked.splitlines()
    assert f"{number} to create, 0 already imported, 0 refused. Nothing was changed." in checked
    assert f"{number} created, 0 already imported, 0 refused." in imported
    assert [page.returned for page in [*wrong, left_out]] == [None] * (number + 1)
    assert [page.returned for page in without_code] == [None] * len(move.apps)
    assert None not in [page.returned for page in [*first, *second]]
    assert SIGNER_KEY[:16] not in "".join([applied, checked, imported, (tmp_path / "people.jsonl").read_text()])
