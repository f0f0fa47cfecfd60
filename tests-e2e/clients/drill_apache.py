"""Apache with mod_auth_openidc signs a user in, with the secret in the header or in the body.

`make drills` runs it where Apache and the module are installed (apache2-bin, libapache2-mod-auth-openidc);
`PORTICO_TEST_APACHE` names another root than `/`.
"""

from __future__ import annotations

import os
import secrets
import tempfile
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import pytest
from portico_contracts.apply import AuthMethodName, Document, OidcApp
from portico_scenarios import third_party_app
from portico_scenarios.participants import ALICE, document_of_libraries
from portico_scenarios.relying_party import Client, begin
from portico_scenarios.world import World
from portico_stack.machine.ports import free_port

pytestmark = pytest.mark.e2e

APACHE = Path(os.environ.get("PORTICO_TEST_APACHE", "/"))
CONFIGURATION = Path(__file__).parent / "apache" / "httpd.conf"
METHODS = {"client_secret_basic": AuthMethodName.BASIC, "client_secret_post": AuthMethodName.POST}


@pytest.fixture
def folder() -> Iterator[Path]:
    """World-readable, because Apache started by root serves pages as another user."""
    with tempfile.TemporaryDirectory() as name:
        made = Path(name)
        made.chmod(0o755)
        (made / "app").mkdir()
        (made / "app" / "index.html").write_text('Hello <!--#echo var="OIDC_CLAIM_name" -->')
        yield made


@pytest.mark.parametrize("method", METHODS)
async def test_apache_signs_a_user_in_and_out(world: World, folder: Path, method: str) -> None:
    """The module passes the userinfo claims to the application, and its logout ends the provider's session."""
    port = free_port()
    url = f"http://localhost:{port}"
    client = Client(f"apache-{method}", f"{url}/app/cb", secrets.token_urlsafe(32))
    await world.stack.apply(_document(client, method))
    settings = {
        "FOLDER": str(folder),
        "MODULES": str(APACHE / "usr/lib/apache2/modules"),
        "PORT": str(port),
        "URL": url,
        "ISSUER": world.issuer,
        "CLIENT_ID": client.client_id,
        "CLIENT_SECRET": client.secret,
        "METHOD": method,
        "PASSPHRASE": secrets.token_urlsafe(32),
    }
    command = (APACHE / "usr/sbin/apache2", "-X", "-f", CONFIGURATION)
    async with third_party_app.running(command, folder, url, settings) as app, world.agent() as agent:
        page = await app.sign_in(agent, ALICE.login_name, ALICE.password, begin="/app/")
        left = await agent.open(await app.leads_to(f"/app/cb?logout={quote(f'{url}/bye', safe='')}"))
        silent = await agent.open(begin(world.metadata, client, prompt="none").url)

    assert page == "Hello Alice Liddell"
    assert left.location == f"{url}/bye"
    assert silent.returned is not None
    assert silent.returned["error"] == "login_required"


def _document(client: Client, method: str) -> Document:
    app = OidcApp(
        name=client.client_id,
        client_id=client.client_id,
        client_secret=client.secret,
        redirect_uris=(client.redirect_uri,),
        post_logout_redirect_uris=(f"{client.redirect_uri.removesuffix('/app/cb')}/bye",),
        auth_method_type=METHODS[method],
    )
    return document_of_libraries(app)
