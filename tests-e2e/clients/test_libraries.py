"""Third-party libraries without patches: sign-in, userinfo, refresh and logout with each authentication method.

Authlib and requests-oauthlib have tests in `test_grants.py`; Flask, FastAPI, mozilla-django-oidc, Spring and
go-oidc in `test_finished_code.py`. Where Go is not installed, `test_recorded_requests.py` has the requests of
its library.
"""

from __future__ import annotations

import shutil
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest
from portico_contracts.apply import (
    AuthMethodName,
    ClientAssertionAudience,
    Document,
    DpopName,
    GrantTypeName,
    OidcApp,
    ResponseTypeName,
)
from portico_contracts.http import PUSHED_REQUESTS
from portico_harness.key_pairs import KeyPair, key_pair
from portico_scenarios import third_party_app
from portico_scenarios.participants import ALICE, document_of_libraries
from portico_scenarios.relying_party import Client, begin
from portico_scenarios.third_party_app import ThirdPartyApp
from portico_scenarios.world import World
from portico_stack.machine.ports import free_port

pytestmark = pytest.mark.e2e

FOLDER = Path(__file__).parent
SECRET = "e2e-secret-of-a-library-" + "s" * 20
BASIC, POST, SIGNED = AuthMethodName.BASIC, AuthMethodName.POST, AuthMethodName.PRIVATE_KEY_JWT
STANDARD = {BASIC: "client_secret_basic", POST: "client_secret_post", SIGNED: "private_key_jwt"}


@dataclass(frozen=True, slots=True)
class Tried:
    """A library and its authentication.

    Args:
        program: the file of `node/`, `further/` or `python/`, or ``go``.
        registered: the application's registered authentication method.
        configured: the library's authentication method; `default` when it is not configured.
        callback: path of its redirect URI.
        issuer_only: the application accepts assertions for the issuer alone.
        bound: its tokens must be bound to a key (DPoP).
    """

    program: str
    registered: AuthMethodName
    configured: str
    refreshes: bool = True
    callback: str = "/cb"
    pushes: bool = False
    issuer_only: bool = False
    bound: bool = False

    @property
    def name(self) -> str:
        name = f"{self.program.partition('.')[0]} {self.registered.rpartition('_')[2].lower()} {self.configured}"
        words = (" push" if self.pushes else "", " issuer" if self.issuer_only else "", " dpop" if self.bound else "")
        return name + "".join(words)

    @property
    def key(self) -> KeyPair | None:
        kid = f"e2e-key-of-{self.program}{'-issuer' if self.issuer_only else ''}"
        return key_pair(kid, "RS256") if self.registered is SIGNED else None


TRIED = (
    Tried("openid_client.mjs", POST, "default"),
    Tried("openid_client.mjs", BASIC, "default"),
    Tried("openid_client.mjs", BASIC, "client_secret_basic"),
    Tried("openid_client.mjs", SIGNED, "private_key_jwt"),
    Tried("openid_client_5.mjs", BASIC, "default"),
    Tried("openid_client_5.mjs", SIGNED, "private_key_jwt"),
    Tried("express_openid_connect.mjs", BASIC, "default"),
    Tried("express_openid_connect.mjs", POST, "client_secret_post"),
    Tried("express_openid_connect.mjs", SIGNED, "private_key_jwt"),
    Tried("passport.mjs", POST, "default", refreshes=False),
    Tried("auth.mjs", BASIC, "default", refreshes=False, callback="/auth/callback/portico"),
    Tried("auth.mjs", POST, "client_secret_post", refreshes=False, callback="/auth/callback/portico"),
    *(
        (
            Tried("go", POST, "default"),
            Tried("go", BASIC, "default"),
            Tried("go", POST, "client_secret_post"),
            Tried("go", SIGNED, "private_key_jwt"),
        )
        if shutil.which("go")
        else ()
    ),
)

FURTHER = ("openid_client_5.mjs",)
"""Programs whose libraries only `make test-all` runs."""

SIGNS_IN = (
    Tried("django_allauth.py", POST, "default", callback="/accounts/oidc/portico/login/callback/"),
    Tried("django_allauth.py", BASIC, "client_secret_basic", callback="/accounts/oidc/portico/login/callback/"),
)
"""Libraries that cannot refresh, and that store no id_token for the logout."""


def _case(tried: Tried) -> object:
    """Each library runs with its default in `make test`; other methods and Go, which is built first, in `test-all`."""
    other = tried.program in ("go", *FURTHER) or tried.configured != "default"
    return pytest.param(tried, id=tried.name, marks=pytest.mark.long if other else ())


@asynccontextmanager
async def running(
    world: World, tried: Tried, folder: Path, request: pytest.FixtureRequest
) -> AsyncIterator[tuple[ThirdPartyApp, Client]]:
    url = f"http://localhost:{free_port()}"
    client = Client(f"library-{tried.name.replace(' ', '-')}-{STANDARD[tried.registered]}", f"{url}{tried.callback}")
    await world.stack.apply(_document(tried, client, url))
    environment = {"ISSUER": world.issuer, "CLIENT_ID": client.client_id, "URL": url, "METHOD": tried.configured}
    environment |= {"KEY": tried.key.private_pem, "KID": tried.key.kid} if tried.key else {"CLIENT_SECRET": SECRET}
    environment |= {"PUSH": f"{world.issuer}{PUSHED_REQUESTS}"} if tried.pushes else {}
    environment |= {"DPOP": "1"} if tried.bound else {}
    command: tuple[str | Path, ...] = (
        "node",
        FOLDER / ("further" if tried.program in FURTHER else "node") / tried.program,
    )
    if tried.program.endswith(".py"):
        command = (sys.executable, FOLDER / "python" / tried.program)
    if tried.program == "go":
        command = (request.getfixturevalue("go_program"),)
    async with third_party_app.running(command, folder, url, environment) as app:
        yield app, client


def _document(tried: Tried, client: Client, url: str) -> Document:
    app = OidcApp(
        name=f"Library {client.client_id}",
        client_id=client.client_id,
        client_secret=None if tried.key else SECRET,
        redirect_uris=(client.redirect_uri,),
        post_logout_redirect_uris=(f"{url}/bye",),
        auth_method_type=tried.registered,
        response_types=(ResponseTypeName.CODE,),
        grant_types=(GrantTypeName.AUTHORIZATION_CODE, GrantTypeName.REFRESH_TOKEN),
        keys=(tried.key.registered(),) if tried.key else (),
        require_pushed_authorization_requests=tried.pushes,
        dpop=DpopName.REQUIRED if tried.bound else DpopName.OFF,
        client_assertion_audience=ClientAssertionAudience.ISSUER if tried.issuer_only else ClientAssertionAudience.ANY,
    )
    return document_of_libraries(app)


@pytest.mark.parametrize("tried", [_case(tried) for tried in TRIED])
async def test_library_signs_in_refreshes_and_signs_out(
    world: World, tmp_path: Path, request: pytest.FixtureRequest, tried: Tried
) -> None:
    """An unpatched library reads userinfo, refreshes where it can, and ends the session at logout."""
    async with running(world, tried, tmp_path, request) as (app, client), world.agent() as agent:
        page = await app.sign_in(agent, ALICE.login_name, ALICE.password)
        again = await app.read("/refresh") if tried.refreshes else "Hello again Alice Liddell"
        left = await agent.open(await app.leads_to("/logout"))
        silent = await agent.open(begin(world.metadata, client, prompt="none").url)

    assert page == "Hello Alice Liddell"
    assert again == "Hello again Alice Liddell"
    assert left.location == f"{app.url}/bye"
    assert silent.returned is not None
    assert silent.returned["error"] == "login_required"


@pytest.mark.parametrize("tried", [_case(tried) for tried in SIGNS_IN])
async def test_library_signs_in(world: World, tmp_path: Path, request: pytest.FixtureRequest, tried: Tried) -> None:
    """An unpatched library signs a user in and reads the name from userinfo."""
    async with running(world, tried, tmp_path, request) as (app, _), world.agent() as agent:
        page = await app.sign_in(agent, ALICE.login_name, ALICE.password)

    assert page == "Hello Alice Liddell"


async def test_library_pushes_its_requests(world: World, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    """Where the application requires it, a request that was not pushed is refused (RFC 9126 section 6)."""
    tried = Tried("openid_client.mjs", BASIC, "client_secret_basic", pushes=True)
    async with running(world, tried, tmp_path, request) as (app, client), world.agent() as agent:
        page = await app.sign_in(agent, ALICE.login_name, ALICE.password)
        direct = await agent.open(begin(world.metadata, client).url)

    assert page == "Hello Alice Liddell"
    assert direct.returned is not None
    assert direct.returned["error"] == "invalid_request"


@pytest.mark.parametrize("pushes", [False, True])
async def test_library_binds_its_tokens(
    world: World, tmp_path: Path, request: pytest.FixtureRequest, *, pushes: bool
) -> None:
    """With proofs at the token endpoint, userinfo and the refresh, and at the pushed request (RFC 9449)."""
    tried = Tried("openid_client.mjs", BASIC, "client_secret_basic", pushes=pushes, bound=True)
    async with running(world, tried, tmp_path, request) as (app, _), world.agent() as agent:
        page = await app.sign_in(agent, ALICE.login_name, ALICE.password)
        again = await app.read("/refresh")
        kind = await app.read("/type")

    assert (page, again) == ("Hello Alice Liddell", "Hello again Alice Liddell")
    assert kind.lower() == "dpop"


AUDIENCES = {"openid_client.mjs": True, "openid_client_5.mjs": True, "express_openid_connect.mjs": True, "go": False}
"""Whether the library's assertions name the issuer alone, by default."""


@pytest.mark.long
@pytest.mark.parametrize("program", [name for name in AUDIENCES if name != "go" or shutil.which("go")])
async def test_audience_of_assertions(
    world: World, tmp_path: Path, request: pytest.FixtureRequest, program: str
) -> None:
    """Once every library sends the issuer alone, it becomes the default of new applications (decision 0118)."""
    tried = Tried(program, SIGNED, "private_key_jwt", issuer_only=True)
    async with running(world, tried, tmp_path, request) as (app, _), world.agent() as agent:
        if AUDIENCES[program]:
            assert await app.sign_in(agent, ALICE.login_name, ALICE.password) == "Hello Alice Liddell"
        else:
            await app.refused(agent, ALICE.login_name, ALICE.password)
