"""Third-party libraries with DPoP sign in and call an API, without patches (RFC 9449)."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from portico_contracts.apply import AuthMethodName, DpopName, GrantTypeName, OidcApp
from portico_scenarios import third_party_app
from portico_scenarios.participants import ALICE, document_of_libraries
from portico_scenarios.world import World
from portico_stack.machine.ports import free_port

pytestmark = pytest.mark.e2e

HERE = Path(__file__).parent
SECRET = "e2e-secret-of-a-bound-library-" + "s" * 20
PROGRAMS = ("node/oauth4webapi.mjs", "node/dpop_fetch.mjs", "node/openid_client.mjs", "dpop_python/bound_client.py")


@pytest.fixture(scope="module")
def python(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An environment with requests-oauth2client."""
    folder = tmp_path_factory.mktemp("dpop")
    uv, lock = Path(sys.executable).parent / "uv", HERE / "dpop_python/requirements.lock"
    for command in (
        ("venv", "-q", "--python", sys.executable, folder),
        ("pip", "install", "-q", "--python", folder, "--require-hashes", "-r", lock),
    ):
        subprocess.run((uv, *command), check=True)
    return folder / "bin" / "python"


@pytest.mark.parametrize("nonce", [False, True])
@pytest.mark.parametrize("program", PROGRAMS)
async def test_library_binds_its_tokens(
    world: World, tmp_path: Path, request: pytest.FixtureRequest, program: str, *, nonce: bool
) -> None:
    """It signs in, calls userinfo with the bound token and refreshes; where the server demands nonces, too."""
    url, client_id = f"http://localhost:{free_port()}", f"bound-{Path(program).stem}-{nonce}"
    app = OidcApp(
        name=client_id,
        client_id=client_id,
        client_secret=SECRET,
        redirect_uris=(f"{url}/cb",),
        auth_method_type=AuthMethodName.BASIC,
        grant_types=(GrantTypeName.AUTHORIZATION_CODE, GrantTypeName.REFRESH_TOKEN),
        dpop=DpopName.REQUIRED,
        dpop_nonce=nonce,
    )
    await world.stack.apply(document_of_libraries(app))
    command = ("node" if program.endswith(".mjs") else request.getfixturevalue("python"), HERE / program)
    environment = {"ISSUER": world.issuer, "CLIENT_ID": client_id, "CLIENT_SECRET": SECRET, "URL": url}
    environment |= {"METHOD": "client_secret_basic", "DPOP": "1"}
    async with third_party_app.running(command, tmp_path, url, environment) as running, world.agent() as agent:
        page = await running.sign_in(agent, ALICE.login_name, ALICE.password)
        again = await running.read("/refresh")
        kind = await running.read("/type")

    assert (page, again) == ("Hello Alice Liddell", "Hello again Alice Liddell")
    assert kind.lower() == "dpop"
