"""A strict reader of other people understands the WebAuthn options of the management API."""

from __future__ import annotations

import asyncio
import shutil
import subprocess
from pathlib import Path

import pytest
from portico_scenarios.administrator import administrator_of
from portico_scenarios.world import World

pytestmark = [pytest.mark.e2e, pytest.mark.long]

FOLDER = Path(__file__).parent / "go_webauthn"


@pytest.fixture(scope="module")
def reader(tmp_path_factory: pytest.TempPathFactory) -> Path:
    built = tmp_path_factory.mktemp("go-webauthn") / "reader"
    subprocess.run(("go", "build", "-mod=readonly", "-o", built, "."), cwd=FOLDER, check=True)
    return built


@pytest.mark.skipif(not shutil.which("go"), reason="Go is not installed")
@pytest.mark.parametrize("kind", ["passkeys", "u2f"])
async def test_go_webauthn_reads_creation_options(world: World, reader: Path, kind: str) -> None:
    """go-webauthn reads the options as they are sent: numbers of the standard are whole (WebAuthn Level 3 §5.4)."""
    admin = await administrator_of(world)
    person = await admin.json("portico.user.v2.UserService.AddHumanUser", admin.human("gopher"))
    url = f"{world.issuer}/v2/users/{person.body['userId']}/{kind}"
    answer = await world.http.post(url, json={}, headers={"Authorization": f"Bearer {admin.token}"})
    process = await asyncio.create_subprocess_exec(
        reader, stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE
    )
    said, complained = await process.communicate(answer.content)

    assert (process.returncode, complained.decode()) == (0, ""), answer.text
    domain, timeout, _challenge = said.decode().splitlines()[0].split()
    assert (domain, timeout) == ("localhost", "300000")
    assert "public-key ES256" in said.decode().splitlines()
