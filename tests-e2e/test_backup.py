"""A backup of a running installation is restored after the loss of all data (decision 0072)."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from base64 import b64encode
from pathlib import Path
from typing import Any

import pytest
from portico_contracts.apply import Document, Email, EndUser, OidcIdp, Organization, Password, Profile
from portico_harness.eventually import eventually
from portico_scenarios.administrator import administrator_of
from portico_scenarios.participants import ALICE
from portico_scenarios.programs import API
from portico_scenarios.relying_party import Client, begin
from portico_scenarios.world import World, code_in, http_client, started
from portico_stack.assembly.layout import StackOptions
from portico_stack.assembly.stack import Stack

pytestmark = [pytest.mark.e2e, pytest.mark.long, pytest.mark.xdist_group("backup")]
"""It shares no stack."""

SCOPE = "openid offline_access"
PORTICO = str(Path(sys.executable).with_name("portico"))


LATER = EndUser(
    id="since-then",
    username="since-then",
    profile=Profile(first_name="Since", last_name="Then"),
    email=Email(email="since@mail.example.test", is_verified=True),
    password=Password(password="another one since then"),
)


SEALING = Organization(
    id="sealing",
    name="sealing",
    oidc_idps=(
        OidcIdp(name="upstream", issuer="https://upstream.example", client_id="portico", client_secret="hush hush"),
    ),
)
"""Its client secret is stored encrypted."""


IN_A_BACKUP = {
    "portico_keys.schema", "portico_keys.signing_keys", "portico_users.apps", "portico_users.events", "portico_users.hashCounts",
    "portico_users.idps", "portico_users.ids", "portico_users.lastSignIns", "portico_users.members", "portico_users.orgs", "portico_users.passwords", "portico_users.projects",
    "portico_users.redis_marks", "portico_users.schema", "portico_users.users",
}  # fmt: skip
"""Without expiring records: codes, links, ceremonies, queued emails and deliveries, diagnostics, leases."""


def portico(data: Path, *arguments: str, succeeds: bool = True) -> str:
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PORTICO_")}
    done = subprocess.run(
        [PORTICO, *arguments, *(["--data", str(data)] if data.parts else [])],
        capture_output=True,
        text=True,
        env=environment,
        check=False,
    )
    assert (done.returncode == 0) is succeeds, done.stdout + done.stderr
    return done.stdout if succeeds else done.stderr


async def kids(world: World) -> set[str]:
    return {key["kid"] for key in (await world.http.get(world.metadata["jwks_uri"])).json()["keys"]}


async def wait_for_last_sign_in(world: World) -> None:
    """Sign-ins are written in batches, so a backup right after one can be without it."""
    admin = await administrator_of(world)
    await eventually(
        lambda: admin.connect("portico.user.v2.UserService.GetUserByID", {"userId": ALICE.id}),
        lambda found: "lastSignIn" in found.body["user"]["human"],
    )


async def ask(issuer: str, path: str, form: dict[str, str], client: Client) -> dict[str, Any]:
    async with http_client(issuer, None) as http:
        answer = await http.post(f"{issuer}{path}", data=form, auth=(client.client_id, client.secret))
        found: dict[str, Any] = answer.json()
        return found


def restore(data: Path, file: Path, key: Path, *, replace: bool) -> str:
    """Restores with its master keys; returns the output of a second restore, which is refused."""
    command = ("restore", str(file), "--key", str(key))
    print(portico(data, *command, *(["--replace"] if replace else [])))  # noqa: T201
    return portico(data, *command, succeeds=False)


def restore_with_other_keys(data: Path, file: Path, key: Path) -> None:
    """Restores with other master keys: refused, then with the loss of what they cannot decrypt accepted."""
    other = data.with_name("other-keys")
    other.write_text(b64encode(b"o" * 32).decode())
    command = ("restore", str(file), "--key", str(key), "--users-master-keys", str(other))
    unreadable = portico(data, *command, succeeds=False)
    accepted = portico(data, *command, "--accept-unreadable-secrets", "--replace")

    assert "cannot decrypt 1 identity provider secret with master key" in unreadable
    assert "1 identity provider secret" in accepted


@pytest.mark.parametrize("other_keys", [False, True], ids=["its keys", "other keys first"])
async def test_backup_is_restored(tmp_path: Path, other_keys: bool) -> None:
    """After a restore later changes are undone, and tokens, sessions and keys left in Redis are invalid."""
    data, key, file = tmp_path / "data", tmp_path / "key", tmp_path / "one.backup"
    async with started(StackOptions(data, port=0), as_given=True) as world:
        await world.stack.apply(Document(organizations=(SEALING,)))
        recipient = portico(Path(), "backup", "key", str(key)).strip()
        before = await world.tokens_of(ALICE, "offline", scope=SCOPE)
        stateless = await world.tokens_of(ALICE, "jwt")
        old_kids = await kids(world)
        await wait_for_last_sign_in(world)
        print(portico(data, "backup", "make", str(file), "--recipient", recipient))  # noqa: T201 - how long it takes
        contents = portico(data, "backup", "check", str(file), "--key", str(key))
        await world.stack.apply(Document(organizations=(Organization(id="since", name="since", humans=(LATER,)),)))
        client, port = world.clients["offline"], world.stack.layout.gateway.port
        issuer = world.issuer
    shutil.rmtree(data / "mongo" / "db")
    if other_keys:
        restore_with_other_keys(data, file, key)
    refused = restore(data, file, key, replace=other_keys)

    stack = Stack(StackOptions(data, port=port))
    try:
        await stack.start()
        assert stack.issuer == issuer
        refreshed = await ask(
            issuer, "/oauth/v2/token", {"grant_type": "refresh_token", "refresh_token": before["refresh_token"]}, client
        )
        active = [
            (await ask(issuer, "/oauth/v2/introspect", {"token": tokens["access_token"]}, API.client))["active"]
            for tokens in (before, stateless)
        ]
        async with http_client(issuer, None) as http:
            again = World(stack, issuer, None, world.metadata, world.clients, http)
            new_kids = await kids(again)
            begun = begin(world.metadata, client, scope=SCOPE)
            async with again.agent() as agent:
                code = code_in(await agent.sign_in(begun.url, ALICE.login_name, ALICE.password))
            answer = await again.redeem("offline", code, code_verifier=begun.verifier)
            async with again.agent() as agent:
                page = await agent.sign_in(begin(world.metadata, client).url, "since-then", "another one since then")
    finally:
        await stack.stop()

    assert {line.split()[-1] for line in contents.splitlines()[1:]} == IN_A_BACKUP
    assert "--replace" in refused
    assert refreshed["error"] == "invalid_grant"
    assert active == [False, False]
    assert not old_kids & new_kids
    assert answer.status_code == 200
    assert page.returned is None
