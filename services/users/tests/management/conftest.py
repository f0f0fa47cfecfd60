from __future__ import annotations

import secrets
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import replace
from functools import partial
from typing import Any

import msgspec
import pytest
from portico_contracts.console import OWN_APPLICATIONS
from portico_fakes.management_api import ApiResponse, ManagementApi
from portico_fakes.memory_bus import MemoryBus
from portico_fakes.webhook_scenario import WebhookScenario
from portico_harness.eventually import HANGS
from portico_runtime.process.background import Background
from portico_users.assembly.service import Service
from portico_users.grants.role_grants import RoleGrant, grant_id
from portico_users.groups.group import GROUPS, Group
from portico_users.identity_providers.idp import Idp, JwtConfig, OidcConfig
from portico_users.identity_providers.secrets import SecretSealer
from portico_users.identity_providers.store import IDPS
from portico_users.management_api.transport import dispatch
from portico_users.projects.project import Project, ProjectRole
from portico_users.projects.project_grants import PROJECT_GRANTS, ProjectGrant
from portico_users.projects.store import PROJECTS
from portico_users.scim.connection import SCIM_CONNECTIONS, ScimConnection, ScimSecret
from portico_users.scim_targets.target import SCIM_TARGETS, ScimTarget
from portico_users.scim_targets.tokens import with_token
from portico_users.settings import Settings
from portico_users.storage.schema import Schema
from portico_users.values.records import State
from portico_users.webhooks.deliveries import Deliveries, Delivery, DeliveryState
from portico_users.webhooks.store import WEBHOOK_TABLE
from portico_users.webhooks.webhook import Webhook
from portico_users_rows.permission_rows.row import AUTHENTICATED

from .intent_pages import Pages
from .outside_world import furnished_servers

ADD = "portico.user.v2.UserService.AddHumanUser"
GET = "portico.user.v2.UserService.GetUserByID"
LIST = "portico.user.v2.UserService.ListUsers"

OFTEN_FURNISHED = (AUTHENTICATED, ("owner",), ("owner", "iam"), ("owner", "viewer", "foreign"))
"""The callers whose objects many tests need; they are copied from the first test's."""


class ManagedWorld:
    """Two organizations with users and service users in every role.

    Attributes:
        tokens: by caller.
    """

    def __init__(self, users_world: Any, api: ManagementApi, copy: Any, *, history: bool) -> None:
        self.users = users_world
        self._history = history
        self._copy = copy
        self.api = api
        self.tag = users_world.tag
        self.org_id = f"org-{self.tag}"
        self.other_org_id = f"other-{self.tag}"
        self.peer_org_id = f"peer-{self.tag}"
        self.tokens: dict[str, str] = {}

    def domain(self, org_id: str) -> str:
        return f"{org_id}.example"

    def new_human(self, name: str = "new", **members: Any) -> dict[str, Any]:
        return {
            "userId": f"{name}-{self.tag}",
            "profile": {"firstName": "Ada", "lastName": "Byron"},
            "email": {"email": f"{name}-{self.tag}@mail.example", "isVerified": True},
            **members,
        }

    async def add(self, body: Any, *, by: str = "owner", **more: Any) -> ApiResponse:
        return await self.api.json(ADD, body, token=self.tokens.get(by, ""), **more)

    async def get(self, user_id: str, *, by: str = "owner", **more: Any) -> ApiResponse:
        return await self.api.json(GET, {}, token=self.tokens.get(by, ""), path=f"/v2/users/{user_id}", **more)

    async def renewed(self) -> ManagedWorld:
        """Returns new organizations in the same service, for the next row of a table."""
        self.users.tag = secrets.token_hex(4)
        world = ManagedWorld(self.users, self.api, self._copy, history=self._history)
        await world.set_up()
        return world

    async def set_up(self) -> None:
        await self.write_once("organizations", self._apply_organizations)
        for caller in ("owner", "viewer", "iam", "robot", "self", "foreign"):
            self.tokens[caller] = self.api.token_of(f"{caller}-{self.tag}")
        self.tokens["expired"] = "nobody's"

    async def _apply_organizations(self) -> None:
        first = [("owner", ["ORG_OWNER"]), ("viewer", ["ORG_OWNER_VIEWER"]), ("iam", ["IAM_OWNER"]), ("robot", [])]
        await self.users.apply(
            self._organization(self.org_id, [*first, ("self", [])]),
            self._organization(self.other_org_id, [("foreign", ["ORG_OWNER"])]),
        )

    async def write_once(self, name: str, write: Callable[[], Awaitable[None]]) -> None:
        """Applies what many tests need, by `write` for the first and as copies for later ones."""
        await self._copy(name, self.tag, write, history=self._history)

    async def furnish(self, *callers: str, org_id: str = "") -> None:
        """Creates for each caller a project with a role and two applications, and a service user with that role.

        Args:
            org_id: by default the first organization.
        """
        if callers in OFTEN_FURNISHED and not org_id:
            await self.write_once(f"furniture of {callers}", partial(self._furnish, callers, self.org_id))
        else:
            await self._furnish(callers, org_id or self.org_id)
        await self._furnish_scim_targets(callers, org_id or self.org_id)

    async def _furnish(self, callers: tuple[str, ...], owner_id: str) -> None:
        org = self._organization(owner_id, [])
        projects = [self._project(caller) for caller in callers]
        robots = [
            self._robot(f"bot-{caller}", [])
            | {"keys": [self.users.key(id=f"bot-key-{caller}-{self.tag}")]}
            | {"grants": [{"project": f"p-{caller}-{self.tag}", "roleKeys": ["reader"]}]}
            for caller in callers
        ]
        await self.users.apply(org | {"projects": projects, "serviceUsers": robots})
        await self._furnish_project_grants(callers, owner_id)
        await self._furnish_groups(callers, owner_id)
        await self._furnish_idps(callers, owner_id)
        await self._furnish_webhooks(callers, owner_id)
        await self._furnish_scim(callers, owner_id)
        await self._furnish_outside_servers(callers, owner_id)

    async def _furnish_project_grants(self, callers: tuple[str, ...], org_id: str) -> None:
        await self.users.apply(self._organization(self.peer_org_id, []))
        roles = (ProjectRole(key="reader"),)
        theirs = [
            Project(id=f"src-{caller}-{self.tag}", org_id=self.peer_org_id, name=f"{caller} of {org_id}", roles=roles)
            for caller in callers
        ]
        grants = [
            ProjectGrant(
                id=f"{name}-{caller}-{self.tag}",
                org_id=owner_id,
                project_id=f"{project}-{caller}-{self.tag}",
                granted_org_id=granted_id,
                role_keys=("reader",),
            )
            for caller in callers
            for name, project, owner_id, granted_id in (
                ("pg", "p", org_id, self.peer_org_id),
                ("got", "src", self.peer_org_id, org_id),
            )
        ]
        database = self.users.parts.mongo.database
        await database["projects"].insert_many([PROJECTS.document(project) for project in theirs])
        await database["projectGrants"].insert_many([PROJECT_GRANTS.document(grant) for grant in grants])

    async def _furnish_groups(self, callers: tuple[str, ...], org_id: str) -> None:
        groups = [
            Group(id=f"{name}-{caller}-{self.tag}", org_id=org_id, name=f"{name} of {caller}")
            for caller in callers
            for name in ("group", "inner")
        ]
        await self.users.parts.mongo.database["groups"].insert_many([GROUPS.document(group) for group in groups])

    async def _furnish_idps(self, callers: tuple[str, ...], org_id: str) -> None:
        address = "https://idp.example"
        jwt = JwtConfig(jwt_endpoint=address, issuer=address, keys_endpoint=address)
        oidc = OidcConfig(issuer=address, client_id="portico")
        idps = [
            Idp(
                id=f"{owner}-{kind}-{caller}-{self.tag}",
                org_id=place,
                name=f"{kind} {caller} {self.tag}",
                config=config,
            )
            for caller in callers
            for owner, place in (("own", org_id), ("iam", "instance"))
            for kind, config in (("jwt", jwt), ("oidc", oidc))
        ]
        await self.users.parts.mongo.database["idps"].insert_many([IDPS.document(idp) for idp in idps])

    async def _furnish_webhooks(self, callers: tuple[str, ...], org_id: str) -> None:
        webhooks = [
            Webhook(
                id=f"{owner}-hook-{caller}-{self.tag}",
                org_id=place,
                name=f"hook {caller} {self.tag}",
                url="https://hooks.example/in",
                event_types=("idp.deleted",),
            )
            for caller in callers
            for owner, place in (("own", org_id), ("iam", "instance"))
        ]
        event = Delivery(
            webhook_id="",
            event_id="event",
            type="idp.deleted",
            object="somebody",
            sequence=1,
            at=0.0,
            body="{}",
            not_before=0.0,
            until=0.0,
            state=DeliveryState.DELIVERED,
        )
        database = self.users.parts.mongo.database
        await database["webhooks"].insert_many([WEBHOOK_TABLE.document(webhook) for webhook in webhooks])
        deliveries = Deliveries(database, self.users.clock)
        await deliveries.put(msgspec.structs.replace(event, webhook_id=webhook.id) for webhook in webhooks)

    async def _furnish_scim(self, callers: tuple[str, ...], org_id: str) -> None:
        secret = ScimSecret(id="first", hash="", created=0.0)
        connections = [
            ScimConnection(
                id=f"scim-{caller}-{self.tag}", org_id=org_id, name=f"scim {caller} {self.tag}", secrets=(secret,)
            )
            for caller in callers
        ]
        rows = [SCIM_CONNECTIONS.document(connection) for connection in connections]
        await self.users.parts.mongo.database["scimConnections"].insert_many(rows)

    async def _furnish_outside_servers(self, callers: tuple[str, ...], org_id: str) -> None:
        rows = furnished_servers(callers, org_id, self.tag)
        await self.users.parts.mongo.database["outsideServers"].insert_many(rows)

    async def _furnish_scim_targets(self, callers: tuple[str, ...], org_id: str) -> None:
        """Not copied: their tokens are sealed for their ids."""
        sealer, server = self.users.service.find(SecretSealer), self.users.scim_server
        targets = [
            ScimTarget(
                id=f"target-{caller}-{self.tag}", org_id=org_id, name=f"target {caller} {self.tag}",
                project_id=f"p-{caller}-{self.tag}", app_id=f"app-{caller}-{self.tag}", url=server.base,
                state=State.INACTIVE,
            )
            for caller in callers
        ]  # fmt: skip
        rows = [SCIM_TARGETS.document(with_token(target, "secret", sealer)) for target in targets]
        await self.users.parts.mongo.database["scimTargets"].insert_many(rows)

    async def reset_instance(self) -> None:
        """Resets what a test has set for the instance, which tests share."""
        database = self.users.parts.mongo.database
        await database["webhooks"].delete_many({"orgId": "instance"})
        plain: dict[str, dict[str, Any]] = {"policies": {}, "loginRules": {}}
        unset = {"tokenLifetimes": "", "intentUrls": "", "allowsImpersonation": ""}
        await database["instances"].update_one({"_id": "instance"}, {"$set": plain, "$unset": unset})

    def grant_of(self, caller: str, org_id: str = "") -> str:
        given = RoleGrant(project_id=f"p-{caller}-{self.tag}", org_id=org_id or self.org_id, role_keys=("reader",))
        return grant_id(f"bot-{caller}-{self.tag}", given)

    def _project(self, caller: str) -> dict[str, Any]:
        key = self.users.key(id=f"key-{caller}-{self.tag}")
        oidc = {"name": "web", "id": f"app-{caller}-{self.tag}", "redirectUris": ["https://shop.example/cb"]}
        api = {"name": "api", "id": f"api-{caller}-{self.tag}", "keys": [key]}
        return {
            "id": f"p-{caller}-{self.tag}",
            "name": f"project of {caller}",
            "roles": [{"roleKey": "reader"}],
            "oidcApps": [oidc],
            "apiApps": [api | {"authMethodType": "API_AUTH_METHOD_TYPE_PRIVATE_KEY_JWT"}],
        }

    def _organization(self, id: str, people: list[tuple[str, list[str]]]) -> dict[str, Any]:
        robots = [self._robot(name, roles) for name, roles in people if name == "robot"]
        humans = [self._human(name, roles) for name, roles in people if name != "robot"]
        return {"id": id, "name": id, "primaryDomain": self.domain(id), "humans": humans, "serviceUsers": robots}

    def _human(self, name: str, roles: list[str]) -> dict[str, Any]:
        return {
            "id": f"{name}-{self.tag}",
            "username": f"{name}-{self.tag}",
            "profile": {"firstName": name, "lastName": "Adams"},
            "email": {"email": f"{name}-{self.tag}@people.example", "isVerified": True},
            "roles": roles,
        }

    def _robot(self, name: str, roles: list[str]) -> dict[str, Any]:
        id = f"{name}-{self.tag}"
        return {"id": id, "username": id, "name": name, "roles": roles}


@pytest.fixture
def history() -> bool:
    """Reports whether the objects of `managed` have the events of their creation; modules that list those override it."""
    return False


@pytest.fixture
async def managed(
    users_world: Any, copy: Any, history: bool, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[ManagedWorld]:
    # A busy machine needs more than the ten seconds of a call for thousands of users.
    monkeypatch.setattr(dispatch, "SECONDS", HANGS)
    api = ManagementApi(users_world.service, users_world.bus)
    world = ManagedWorld(users_world, api, copy, history=history)
    await world.set_up()
    yield world
    await world.reset_instance()


@pytest.fixture
async def pages(managed: Any) -> Pages:
    made = Pages(managed)
    await managed.write_once("pages", made.set_up)
    await made.allow_urls()
    return made


@pytest.fixture
async def console_app(managed: Any) -> str:
    """The console's application; all tests of a database share it, since its project has one id."""
    if not await managed.users.rows("projects", _id=OWN_APPLICATIONS):
        id = f"console-{managed.tag}"
        project = {"id": OWN_APPLICATIONS, "name": "Portico", "oidcApps": [managed.users.app(id=id, clientId=id)]}
        await managed.users.apply(managed.users.organization(projects=[project], humans=[]))
    (app,) = await managed.users.rows("apps", projectId=OWN_APPLICATIONS)
    return str(app["_id"])


@pytest.fixture
async def mute(managed: Any, cheap_hashing: Settings) -> AsyncIterator[ManagementApi]:
    """A replica without a mail server."""
    bus = MemoryBus()
    service = Service(cheap_hashing, replace(managed.users.parts, bus=bus, transport=None))
    indexing = Background("indexes", service.find(Schema).create)
    await indexing.start()
    await service.find(Schema).wait()
    api = ManagementApi(service, bus)
    yield api
    await indexing.close()


@pytest.fixture
async def hooks(managed: Any) -> WebhookScenario:
    """With nothing pending: tests share outbox, lease and queues, and their clocks differ."""
    database = managed.users.parts.mongo.database
    for collection in ("outbox", "leases", "webhookLanes", "mails"):
        await database[collection].delete_many({})
    return WebhookScenario(managed)
