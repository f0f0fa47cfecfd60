"""Applications in MongoDB, and as authz and token receive them."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import groupby
from typing import Final

import msgspec
from portico_contracts.console import OWN_APPLICATIONS
from portico_contracts.events import APP_CHANGED
from portico_contracts.users import (
    KEY_METHODS,
    CheckOrigin,
    ClaimRule,
    ClaimSource,
    Client,
    ClientFound,
    Dpop,
    GetClient,
    GetUsedGrantTypes,
    OriginChecked,
    TokenHook,
    UsedGrantTypes,
)
from portico_oauth import grant_types
from portico_oauth.errors import ErrorCode, Kind
from portico_oauth.redirect_uris import MAX_LENGTH as MAX_URI
from portico_oauth.resources import resource_key
from portico_runtime.process.clock import Clock
from pymongo import ASCENDING, IndexModel

from portico_users.applications.app_lifetimes import lifetimes_of
from portico_users.applications.app_record import App, has_management_access, is_agent, origins_of
from portico_users.applications.client_keys.assertion_keys import public_keys
from portico_users.applications.metadata_places import MetadataPlaces
from portico_users.identity_providers.store import MongoIdps
from portico_users.instance.instance import MongoInstance
from portico_users.outside_servers.server import MongoOutsideServers
from portico_users.policies.token_lifetimes import LongestLifetimes
from portico_users.projects.claim_rules import applied
from portico_users.projects.project import Project
from portico_users.projects.store import ActiveProjects
from portico_users.storage.entry import Document, Entry, Table
from portico_users.storage.name_order import name_indexes
from portico_users.storage.reader import Reader
from portico_users.storage.schema import listing_indexes
from portico_users.trusted_workloads.workload import trusted
from portico_users.values.names import MAX_LENGTH, canonical
from portico_users.values.records import State, name_key
from portico_users.values.word_keys import word_indexes, word_keys
from portico_users.webhooks.store import MongoWebhooks

RESOURCE_TAKEN = ErrorCode(
    "USER-853", Kind.ALREADY_EXISTS, "Another API already has this resource.", "Use another URI, or remove it there."
)

REGISTERED: Final = {"metadataDocument": {"$ne": True}}
"""Finds the applications that documents declare."""

FROM_DOCUMENTS: Final = {"metadataDocument": True}
"""Finds the others."""


SECRET_ENDS: Final[Document] = {"secretUntil": {"$gt": 0}}
"""Finds those whose secret expires."""


_DPOP: Final = "dpop"
"""Stored with the grant types that discovery shows only where an application has them."""


def _keys(app: App) -> Document:
    is_deleted = app.state is State.DELETED
    keys: Document = {
        # Documents give names, so that several can be equal. Their client ids are unique, but not without their case.
        "nameKey": name_key(app, f"{app.client_id} {app.id}" if app.metadata_document else app.name),
        "listed": not is_deleted and not app.metadata_document,
        "originKeys": list(origins_of(app)),
        **word_keys((app.name, app.client_id), deleted=is_deleted),
    }
    if app.further_document:
        keys["clientId"] = _further(app.client_id, app.org_id)
    # Absent from other applications, so that the indexes have the few APIs with scopes only.
    if app.resources:
        keys["resourceKeys"] = list(map(resource_key, app.resources))
    if app.former_resources:
        keys["formerResourceKeys"] = list(app.former_resources)
    if app.resources or app.scopes:
        keys["apiKey"] = app.project_id
    optional = [one for one in app.grant_types if one in grant_types.OPTIONAL]
    if app.dpop is not Dpop.OFF:
        optional.append(_DPOP)
    if optional:
        keys["optionalGrants"] = optional
    return keys


def _further(client_id: str, org_id: str) -> str:
    """What is stored in place of the client id, which is unique. No URL of a document has a fragment."""
    return f"{client_id}#{org_id}"


class _Apps(Table[App]):
    __slots__ = ()

    def record(self, document: Document, *, whole: bool = True) -> App:
        if document.get("furtherDocument"):
            document = {**document, "clientId": document["clientId"].partition("#")[0]}
        return super().record(document, whole=whole)


APPS: Final[Table[App]] = _Apps(
    "apps",
    App,
    APP_CHANGED,
    _keys,
    private=frozenset({"secretHash", "previousSecret", "secretCreated", "secretUntil"}),
    indexes=(
        IndexModel([("clientId", ASCENDING)], unique=True),
        IndexModel([("projectId", ASCENDING), ("nameKey", ASCENDING)], unique=True),
        *listing_indexes("nameKey", owners=("projectId", "orgId")),
        *name_indexes("nameKey", "projectId"),
        IndexModel([("projectId", ASCENDING), ("listed", ASCENDING), ("clientId", ASCENDING)]),
        IndexModel([("originKeys", ASCENDING), ("state", ASCENDING), ("projectId", ASCENDING)]),
        IndexModel([("resourceKeys", ASCENDING)], unique=True, sparse=True),
        IndexModel([("formerResourceKeys", ASCENDING)], sparse=True),
        IndexModel([("apiKey", ASCENDING), ("state", ASCENDING)], sparse=True),
        IndexModel([("optionalGrants", ASCENDING)], sparse=True),
        IndexModel([("agent", ASCENDING)], partialFilterExpression={"agent": True}),
        IndexModel(
            [("orgId", ASCENDING), ("apiKey", ASCENDING)], partialFilterExpression={"apiKey": {"$exists": True}}
        ),
        IndexModel([("orgId", ASCENDING), ("nameKey", ASCENDING)], partialFilterExpression=FROM_DOCUMENTS),
        IndexModel([("orgId", ASCENDING), ("secretUntil", ASCENDING)], partialFilterExpression=SECRET_ENDS),
        *word_indexes(),
    ),
    duplicates={"resourceKeys": RESOURCE_TAKEN},
)


def remove_app(before: App) -> Entry[App]:
    """The removed application keeps neither credentials nor resources, so that another one can have these."""
    after = msgspec.structs.replace(
        before, state=State.DELETED, secret_hash="", secret_until=0.0, previous_secret=None, keys=(), resources=()
    )
    return Entry(APPS, before, keeping_former(before, after))


MOST_FORMER: Final = 1_000
"""Former resources of an application; beyond that the oldest are free."""


def keeping_former(before: App, after: App) -> App:
    """Remembers the resources that the change removes: they stay reserved for the organization (decision 0111)."""
    kept = set(map(resource_key, after.resources))
    gone = (key for key in map(resource_key, before.resources) if key not in kept)
    former = tuple(dict.fromkeys((*before.former_resources, *gone)))
    return msgspec.structs.replace(after, former_resources=former[-MOST_FORMER:])


class MongoApps(Reader[App]):
    table = APPS

    async def find_by_client_id(self, client_id: str) -> App | None:
        """Matches exactly."""
        return await self.find_where({"clientId": client_id})

    async def find_of_document(self, client_id: str, org_id: str) -> App | None:
        """The application of an organization whose client id is the URL of a document."""
        ids = [client_id, _further(client_id, org_id)]
        return await self.find_where({"clientId": {"$in": ids}, "orgId": org_id, **FROM_DOCUMENTS})

    async def list_of_document(self, client_id: str, org_ids: Iterable[str]) -> list[App]:
        """The same of several organizations; unordered."""
        ids = {org_id: _further(client_id, org_id) for org_id in org_ids}
        question = {"clientId": {"$in": [client_id, *ids.values()]}, "orgId": {"$in": list(ids)}, **FROM_DOCUMENTS}
        return await self.list_where(question, None)

    async def list_orgs_with_resources(self, uris: Iterable[str]) -> tuple[str, ...]:
        """Returns the organizations of the active APIs with these resources, in the order of the resources."""
        keys = [resource_key(uri) for uri in uris]
        rows = await self.list_where({"resourceKeys": {"$in": keys}, "state": State.ACTIVE.value}, None)
        owners = {resource_key(uri): app.org_id for app in rows for uri in app.resources}
        return tuple(dict.fromkeys(owners[key] for key in keys if key in owners))

    async def find_by_name(self, project_id: str, name: str) -> App | None:
        return await self.find_where({"projectId": project_id, "nameKey": canonical(name)})

    async def find_by_resource(self, uri: str) -> App | None:
        return await self.find_where({"resourceKeys": resource_key(uri)})

    async def is_reserved_elsewhere(self, uri: str, org_id: str) -> bool:
        """Reports whether an application of another organization had the resource before."""
        question = {"formerResourceKeys": resource_key(uri), "orgId": {"$ne": org_id}}
        return await self.find_where(question) is not None

    async def list_client_ids(self, project_id: str) -> tuple[str, ...]:
        """Returns the sorted client ids of a project, the shared audience of its tokens."""
        return (await self.client_ids_by_project((project_id,))).get(project_id, ())

    async def client_ids_by_project(self, project_ids: Iterable[str]) -> dict[str, tuple[str, ...]]:
        question = {"projectId": {"$in": list(project_ids)}, "listed": True}
        rows = await self.list_members(question, "projectId", "clientId")
        by_project = groupby(rows, key=lambda row: str(row["projectId"]))
        return {id: tuple(str(row["clientId"]) for row in of_one) for id, of_one in by_project}

    async def list_projects_with_origin(self, origin: str) -> tuple[str, ...]:
        rows = await self.list_members({"originKeys": origin, "state": State.ACTIVE.value}, "projectId")
        return tuple(dict.fromkeys(str(row["projectId"]) for row in rows))


@dataclass(frozen=True, slots=True)
class AppQueries:
    apps: MongoApps
    projects: ActiveProjects
    instances: MongoInstance
    places: MetadataPlaces
    longest: LongestLifetimes
    clock: Clock
    webhooks: MongoWebhooks
    outside_servers: MongoOutsideServers
    idps: MongoIdps

    async def get_client(self, ask: GetClient) -> ClientFound:
        """Returns nothing unless client, project and organization are active."""
        if len(ask.client_id) > MAX_LENGTH:
            return ClientFound()
        app = await self.apps.find_by_client_id(ask.client_id)
        # Metadata documents are read by `MetadataClients`.
        if app is None or app.state is not State.ACTIVE or app.metadata_document:
            return ClientFound()
        return await self.client_of(app)

    async def client_of(self, app: App) -> ClientFound:
        active, client_ids, lifetimes, hook = await asyncio.gather(
            self.projects.list_of((app.project_id,)),
            self.apps.list_client_ids(app.project_id),
            self.instances.find_token_lifetimes(),
            self.token_hook_of(app),
        )
        if not active:
            return ClientFound()
        ((project, _org),) = active
        # Tokens of an unregistered application are not for the other applications of the project.
        audience = (app.client_id,) if app.metadata_document else (*client_ids, app.project_id)
        client = as_client(app, project, audience, self.clock.now())
        rules, shortened = await self._usable(client.claim_rules, project), lifetimes_of(app, lifetimes, self.longest)
        client = msgspec.structs.replace(client, lifetimes=shortened, claim_rules=rules, token_hook=hook)
        return ClientFound(client=client)

    async def token_hook_of(self, app: App) -> TokenHook | None:
        """None for applications that get only the claims of their scopes, and for ours: a dead hook must not lock out administrators."""
        if app.metadata_document or app.project_id == OWN_APPLICATIONS:
            return None
        hook = await self.webhooks.find_token_hook(app.project_id)
        return TokenHook(id=hook.id, on_failure=hook.on_failure, at_refresh=hook.at_refresh) if hook else None

    async def _usable(self, rules: tuple[ClaimRule, ...], project: Project) -> tuple[ClaimRule, ...]:
        """Without those for roles in projects of other organizations, which have these roles for themselves."""
        named = {rule.key for rule in rules if rule.source is ClaimSource.ROLES} - {"", project.id}
        if not named:
            return rules
        usable = {other.id for other, _org in await self.projects.list_of(named) if other.org_id == project.org_id}
        return tuple([rule for rule in rules if rule.source is not ClaimSource.ROLES or rule.key not in named - usable])

    async def get_used_grant_types(self, ask: GetUsedGrantTypes) -> UsedGrantTypes:
        optional = [one for one in ask.grant_types if one in grant_types.OPTIONAL]
        used = tuple([one for one in optional if await self._is_used(one)])
        accepts_documents = await self.places.accept_documents()
        return UsedGrantTypes(
            grant_types=used,
            client_metadata=accepts_documents,
            dpop=await self._is_used(_DPOP),
            outside_servers=await self.outside_servers.are_any(),
            assertions=await self.idps.is_any_accepting(),
        )

    async def _is_used(self, optional: str) -> bool:
        return await self.apps.find_where({"optionalGrants": optional, "state": State.ACTIVE.value}) is not None

    async def knows_origin(self, ask: CheckOrigin) -> OriginChecked:
        if len(ask.origin) > MAX_URI:
            return OriginChecked(known=False)
        project_ids = await self.apps.list_projects_with_origin(ask.origin)
        return OriginChecked(known=bool(await self.projects.list_of(project_ids)))


_RENAMED: Final = {
    "id_token_alg": "id_token_signed_response_alg",
    "access_token_roles": "access_token_role_assertion",
    "access_token_acr": "access_token_acr_assertion",
    "id_token_roles": "id_token_role_assertion",
}
_SHARED: Final = {
    name: name
    for name in Client.__struct_fields__
    if name in App.__struct_fields__ and name not in ("claim_rules", "trusted_workloads")
} | _RENAMED
"""The fields that a client takes from its application; the others are set by `as_client`."""


def as_client(app: App, project: Project, audience: tuple[str, ...], now: float) -> Client:
    """Includes keys only if the authentication method uses them."""
    shared = {name: getattr(app, of_app) for name, of_app in _SHARED.items()}
    return Client(
        **shared
        | {
            "keys": public_keys(app.keys, now) if app.auth_method in KEY_METHODS else (),
            "management_access": has_management_access(app),
            "agent": is_agent(app),
        },
        app_id=app.id,
        audience=audience,
        previous_secret_hash=app.previous_secret.hash if app.previous_secret else "",
        previous_secret_until=app.previous_secret.until if app.previous_secret else 0,
        origins=origins_of(app),
        userinfo_roles=project.project_role_assertion,
        checks_roles=project.project_role_check,
        checks_project=project.has_project_check,
        private_labeling=project.private_labeling,
        # An unregistered application gets the claims of its scopes only.
        claim_rules=() if app.metadata_document else applied(project.claim_rules, app.claim_rules),
        trusted_workloads=trusted(app.trusted_workloads) if app.trusted_workloads else (),
    )
