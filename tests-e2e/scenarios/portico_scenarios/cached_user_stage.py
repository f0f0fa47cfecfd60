"""Users with cached data in an organization that any test may change.

It has a project with an application and an API; query the users with `everywhere`.
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass, field, replace
from typing import Any, Final

import httpx
import msgspec
from portico_contracts.apply import (
    ApiApp,
    Document,
    Email,
    EndUser,
    GrantTypeName,
    OidcApp,
    Organization,
    Password,
    Profile,
    Project,
    ProjectGrant,
    Role,
    RoleGrant,
)
from portico_runtime.redis.client import RedisClient
from portico_runtime.settings.sections.redis import RedisSection
from portico_runtime.versioned_cache import keys
from pydantic import SecretStr

from portico_scenarios.administrator import Administrator, administrator_of
from portico_scenarios.agent import Agent
from portico_scenarios.relying_party import Client, begin, redeem
from portico_scenarios.replica_clients import Post
from portico_scenarios.world import World, code_in

ROLES: Final = "urn:portico:project:roles"
METADATA: Final = "urn:portico:user:metadata"
RESOURCE_OWNER: Final = "urn:portico:user:resourceowner"
SCOPE: Final = f"openid profile email phone offline_access {ROLES} {METADATA} {RESOURCE_OWNER}"
CALLBACK: Final = "https://facts.example.test/callback"
PASSWORD: Final = "a lantern in the long corridor"
READER: Final = "reader"
WRITER: Final = "writer"


@dataclass(frozen=True, slots=True)
class Stage:
    """An organization with a project, and a service user with full permissions."""

    world: World
    admin: Administrator
    app: Client
    api: Client
    names: tuple[str, ...]
    password: str = field(default=PASSWORD, repr=False)

    @property
    def tag(self) -> str:
        return self.admin.tag

    @property
    def org_id(self) -> str:
        return f"facts-{self.tag}"

    @property
    def project_id(self) -> str:
        return f"shop-{self.tag}"

    def id(self, name: str) -> str:
        return f"{name}-{self.tag}"

    def document(self) -> Document:
        app = OidcApp(
            name="app",
            client_id=self.app.client_id,
            client_secret=self.app.secret,
            redirect_uris=(CALLBACK,),
            grant_types=(GrantTypeName.AUTHORIZATION_CODE, GrantTypeName.REFRESH_TOKEN),
            id_token_userinfo_assertion=True,
            id_token_role_assertion=True,
        )
        project = Project(
            id=self.project_id,
            name="shop",
            project_role_check=True,
            roles=(Role(role_key=READER), Role(role_key=WRITER)),
            oidc_apps=(app,),
            api_apps=(ApiApp(name="api", client_id=self.api.client_id, client_secret=self.api.secret),),
        )
        organization = Organization(
            id=self.org_id,
            name=self.org_id,
            primary_domain=f"{self.org_id}.localhost",
            projects=(project,),
            humans=tuple(self._human(name) for name in self.names),
        )
        return Document(organizations=(organization,))

    def _human(self, name: str) -> EndUser:
        return EndUser(
            id=self.id(name),
            username=self.id(name),
            profile=Profile(first_name=name, last_name="Before"),
            email=Email(email=f"{self.id(name)}@mail.example.test", is_verified=True),
            password=Password(password=self.password) if self.password else None,
            grants=(RoleGrant(project=self.project_id, role_keys=(READER,)),),
        )

    async def call(self, method: str, *, org_id: str = "", **members: Any) -> dict[str, Any]:
        """Calls the management API; raises on an error.

        Args:
            method: without ``portico.``.
            org_id: the organization; defaults to that of the users.
            members: fields by their names in JSON.
        """
        answer = await self.send(method, org_id=org_id, **members)
        assert answer.status_code == 200, f"{method}: {answer.text}"
        done: dict[str, Any] = answer.json()
        return done

    async def send(self, method: str, *, org_id: str = "", **members: Any) -> httpx.Response:
        """Like `call`, but returns errors."""
        post = self.prepared(method, org_id=org_id, **members)
        return await self.world.http.post(f"{self.world.issuer}{post.path}", content=post.content, headers=post.headers)

    def prepared(self, method: str, *, org_id: str = "", **members: Any) -> Post:
        post = self.admin.prepared(f"portico.{method}", members)
        return replace(post, headers=[*post.headers[1:], ("x-service-orgid", org_id or self.org_id)])

    async def sign_in(self, name: str) -> KnownUser:
        agent = self.world.agent()
        begun = begin(self.world.metadata, self.app, scope=SCOPE)
        code = code_in(await agent.sign_in(begun.url, self.id(name), PASSWORD))
        answer = await redeem(self.world.http, self.world.metadata, self.app, code, code_verifier=begun.verifier)
        assert answer.status_code == 200, answer.text
        tokens = answer.json()
        return KnownUser(self, self.id(name), agent, tokens["access_token"], tokens["refresh_token"])

    @property
    def guests_id(self) -> str:
        return f"guests-{self.tag}"

    @property
    def project_grant_id(self) -> str:
        return f"granted-{self.tag}"

    async def sign_in_guest(self) -> KnownUser:
        """A user of another organization with a project grant, and a role by that grant."""
        guest = self._human("guest")
        granted = ProjectGrant(organization=self.guests_id, id=self.project_grant_id, role_keys=(READER,))
        project = Project(id=self.project_id, name="shop", project_role_check=True, grants=(granted,))
        owner = Organization(id=self.org_id, name=self.org_id, projects=(project,))
        guests = Organization(
            id=self.guests_id, name=self.guests_id, humans=(msgspec.structs.replace(guest, grants=()),)
        )
        await self.world.stack.apply(Document(organizations=(guests, owner)))
        await self.call(
            "management.v1.UserGrantService.AddUserGrant",
            org_id=self.guests_id,
            userId=guest.id,
            projectId=self.project_id,
            projectGrantId=self.project_grant_id,
            roleKeys=[READER],
        )
        return await self.sign_in("guest")


@dataclass(slots=True)
class KnownUser:
    stage: Stage
    id: str
    agent: Agent
    access_token: str = field(repr=False)
    refresh_token: str = field(repr=False)

    @property
    def cookies(self) -> str:
        return "; ".join(f"{cookie.name}={cookie.value}" for cookie in self.agent.http.cookies.jar)


async def set_stage(world: World, *names: str, password: str = PASSWORD) -> Stage:
    """Creates a stage with these users.

    Args:
        password: of each; empty for users without one.
    """
    admin = await administrator_of(world)
    app, api = (Client(f"{kind}-{admin.tag}", CALLBACK, secrets.token_urlsafe(24)) for kind in ("app", "api"))
    stage = Stage(world, admin, app, api, names, password)
    await world.stack.apply(stage.document())
    return stage


async def version_of(world: World, person: KnownUser) -> str | None:
    """Returns the version or pending change of a user in Redis, on whichever node."""
    password = SecretStr(world.stack.installation.redis_passwords["token"])
    redis = RedisClient(RedisSection(redis_url=world.stack.layout.redis.url, redis_password=password), "token")
    fact = keys.user(person.id)
    try:
        found: str | None = await redis.read("HGET", keys.versions(fact.slot), fact.field)
    finally:
        await redis.close()
    return found
