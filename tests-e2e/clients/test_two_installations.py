"""Two installations: one issues identity assertions and the other accepts them (decisions 0153 and 0157)."""

from __future__ import annotations

import asyncio
import json
import os
import secrets
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

import pytest
from portico_contracts.apply import (
    AcceptedAssertions,
    ApiApp,
    ApiScope,
    AssertionRule,
    Document,
    Email,
    EndUser,
    IdpLink,
    OidcApp,
    OidcIdp,
    Organization,
    OutsideApplication,
    OutsideServer,
    Password,
    Profile,
    Project,
)
from portico_harness.eventually import HANGS, eventually
from portico_oauth.grant_types import GrantTypeName
from portico_scenarios.relying_party import Client, begin, redeem
from portico_scenarios.second_factor_user import PASSWORD
from portico_scenarios.world import World, code_in, started
from portico_stack.assembly.layout import StackOptions
from portico_stack.machine.ports import free_port

pytestmark = [pytest.mark.e2e, pytest.mark.long]

HERE: Final = Path(__file__).parent
SECRET: Final = "e2e-secret-of-an-assistant-" + "s" * 20


@pytest.fixture(scope="module", params=[("haproxy", "caddy"), ("caddy", "haproxy")], ids=["haproxy", "caddy"])
async def worlds(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[tuple[World, World]]:
    """The company of the users, and the service whose users sign in with it, behind different gateways."""
    here, there = request.param
    async with started(StackOptions(tmp_path_factory.mktemp("company"), port=0, gateway=here)) as company:
        allowed = {"users": {"PORTICO_OUTBOUND_ALLOW": urlsplit(company.issuer).netloc}}
        folder = tmp_path_factory.mktemp("service")
        options = StackOptions(folder, port=0, gateway=there, extra_env=allowed)
        async with started(options) as service:
            yield company, service


class Access:
    """An assistant that users of the company sign in to, and that acts for them at the service."""

    def __init__(self, worlds: tuple[World, World]) -> None:
        self.company, self.service = worlds
        self.tag = secrets.token_hex(4)
        self.user, self.account = f"ada-{self.tag}", f"ada-there-{self.tag}"
        self.here = Client(f"assistant-{self.tag}", "https://assistant.example/cb", SECRET)
        self.there = f"assistant-there-{self.tag}"
        self.port = free_port()
        self.mcp = f"http://localhost:{self.port}/mcp"

    async def set_up(self) -> None:
        await self.company.stack.apply(Document(organizations=(self._company(),)))
        await self.service.stack.apply(Document(organizations=(self._service(),)))

    def _company(self, *, is_allowed: bool = True) -> Organization:
        app = OidcApp(
            name="Assistant",
            client_id=self.here.client_id,
            client_secret=SECRET,
            redirect_uris=(self.here.redirect_uri,),
            grant_types=(GrantTypeName.AUTHORIZATION_CODE, GrantTypeName.TOKEN_EXCHANGE),
        )
        server = OutsideServer(
            id=f"server-{self.tag}",
            name="Notes",
            issuer=self.service.issuer,
            applications=(OutsideApplication(client_id=self.here.client_id, outside_client_id=self.there),),
            resources=(self.mcp if is_allowed else f"{self.mcp}/other",),
            scopes=("notes.read", "notes.write"),
            people="organization",  # type: ignore[arg-type]
        )
        return Organization(
            id=f"org-{self.tag}",
            name=self.tag,
            projects=(Project(id=f"p-{self.tag}", name="assistants", oidc_apps=(app,)),),
            humans=(_user(self.user, password=Password(password=PASSWORD)),),
            outside_servers=(server,),
        )

    def _service(self) -> Organization:
        rule = AssertionRule(client_id=self.there, resource=self.mcp, scopes=("notes.read",))
        provider = OidcIdp(
            name="Company",
            issuer=self.company.issuer,
            client_id="notes",
            client_secret="secret",
            accepted_assertions=AcceptedAssertions(rules=(rule,)),
        )
        scopes = (ApiScope(scope="notes.read"), ApiScope(scope="notes.write"))
        api = ApiApp(
            name="Notes", client_id=f"notes-{self.tag}", client_secret=SECRET, resources=(self.mcp,), scopes=scopes
        )
        app = OidcApp(
            name="Assistant",
            client_id=self.there,
            client_secret=SECRET,
            redirect_uris=("https://assistant.example/cb",),
        )
        link = IdpLink(idp="Company", user_id=self.user, user_name=self.user)
        return Organization(
            id=f"org-{self.tag}",
            name=self.tag,
            oidc_idps=(provider,),
            projects=(Project(id=f"p-{self.tag}", name="notes", api_apps=(api,), oidc_apps=(app,)),),
            humans=(_user(self.account, idp_links=(link,)),),
        )

    async def sign_in(self) -> str:
        world = self.company
        begun = begin(world.metadata, self.here, scope="openid")
        async with world.agent() as browser:
            code = code_in(await browser.sign_in(begun.url, self.user, PASSWORD))
        answer = await redeem(world.http, world.metadata, self.here, code, code_verifier=begun.verifier)
        assert answer.status_code == 200, answer.text
        return str(answer.json()["id_token"])

    async def open(self, id_token: str) -> dict[str, Any]:
        """What the SDK gets from both servers, or the error that it throws."""
        arguments = (
            self.company.issuer,
            self.here.client_id,
            self.service.issuer,
            self.there,
            str(self.port),
            "notes.read",
        )
        process = await asyncio.create_subprocess_exec(
            "node", "node/cross_app_provider.mjs", *arguments,
            cwd=HERE,
            stdout=asyncio.subprocess.PIPE,
            env={"PATH": os.environ["PATH"], "ID_TOKEN": id_token, "CLIENT_SECRET": SECRET},
        )  # fmt: skip
        shown, _ = await process.communicate()
        found: dict[str, Any] = json.loads(shown)
        return found

    async def introspect(self, token: str) -> dict[str, Any]:
        api = Client(f"notes-{self.tag}", "", SECRET)
        found: dict[str, Any] = (await self.service.ask("introspection_endpoint", api, token=token)).json()
        return found

    async def forbid(self) -> None:
        await self.company.stack.apply(Document(organizations=(self._company(is_allowed=False),)))


def _user(id: str, **members: Any) -> EndUser:
    email = Email(email=f"{id}@mail.example.test", is_verified=True)
    return EndUser(id=id, username=id, profile=Profile(first_name="Ada", last_name="Byron"), email=email, **members)


async def test_assertion_of_one_installation_opens_an_api_of_the_other(worlds: tuple[World, World]) -> None:
    """The SDK takes the id_token of the company to an access token of the service, which is for the linked account and the
    API alone, with the scopes that both rules have; when the company ends its rule, the next request is refused.
    """
    access = Access(worlds)
    await access.set_up()
    id_token = await access.sign_in()
    opened = await access.open(id_token)
    active = await access.introspect(opened["access_token"])
    await access.forbid()

    async def error() -> str:
        return str((await access.open(id_token)).get("error", ""))

    assert (opened["token_type"], opened["scope"]) == ("Bearer", "notes.read"), opened
    assert (active["sub"], active["client_id"]) == (access.account, access.there)
    assert access.mcp in active["aud"]
    await eventually(error, lambda text: text.startswith("Token exchange failed: invalid_target"), HANGS)
