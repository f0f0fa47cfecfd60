"""The finished code of next-auth 4, which `npm install next-auth` installs, unchanged."""

from __future__ import annotations

import asyncio
import secrets
import shutil
from pathlib import Path

import pytest
from portico_contracts.apply import AuthMethodName, OidcApp
from portico_scenarios import third_party_app
from portico_scenarios.page_clients import FURTHER
from portico_scenarios.participants import ALICE, document_of_libraries
from portico_scenarios.world import World
from portico_snippets import Application, find_framework, render
from portico_stack.machine.ports import free_port

pytestmark = [pytest.mark.e2e, pytest.mark.long]

SECRET = "e2e-secret-of-next-auth-" + "s" * 20
BUNDLE = "node_modules/.bin/esbuild next_auth.js --bundle --platform=node --external:next --outfile=app.cjs"


def _write(folder: Path, files: dict[str, str]) -> None:
    (folder / "node_modules").symlink_to(FURTHER / "node_modules")
    shutil.copy(FURTHER / "next_auth.js", folder)
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True)
        (folder / name).write_text(text)


async def test_next_auth_signs_a_user_in(world: World, tmp_path: Path) -> None:
    """next-auth gets the name from the id_token, and uses its default authentication method (decision 0118)."""
    url, framework = f"http://localhost:{free_port()}", find_framework("next-auth-4")
    redirect_uri = f"{url}{framework.redirect_path}"
    app = OidcApp(
        name="next-auth 4",
        client_id="library-next-auth-4",
        client_secret=SECRET,
        redirect_uris=(redirect_uri,),
        auth_method_type=AuthMethodName.BASIC,
        id_token_userinfo_assertion=framework.userinfo_in_id_token,
    )
    await world.stack.apply(document_of_libraries(app))
    code = render(framework, Application(world.issuer, "library-next-auth-4", redirect_uri, framework.method))
    await asyncio.to_thread(_write, tmp_path, dict(code.files))
    environment = {"URL": url, "NEXTAUTH_URL": url, "NEXTAUTH_SECRET": secrets.token_hex(), "CLIENT_SECRET": SECRET}
    command = ("sh", "-c", f"{BUNDLE} && exec node app.cjs")
    async with third_party_app.running(command, tmp_path, url, environment) as running, world.agent() as agent:
        page = await running.sign_in(agent, ALICE.login_name, ALICE.password)

    assert page == "Hello Alice Liddell"
