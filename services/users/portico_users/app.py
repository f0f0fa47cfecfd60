"""The composition root: stores, bus, clock and the parts made of them. Nothing else wires anything."""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from typing import Final

from fastapi import FastAPI
from portico_contracts.events import APP_CHANGED, MEMBER_CHANGED, ORG_CHANGED, PROJECT_CHANGED, USER_CHANGED
from portico_oauth.opaque import RandomBytes
from portico_runtime.background import Background
from portico_runtime.bus import Bus, NatsBus
from portico_runtime.clock import Clock, SystemClock
from portico_runtime.health import Health
from portico_runtime.mongo import MongoClient
from portico_runtime.service import Part, lifespan
from portico_web.edge import Edge
from portico_web.surfaces import install_catch_all

from portico_users.accounts.queries import AccountQueries
from portico_users.accounts.roles import RoleQueries
from portico_users.accounts.service_users import ServiceUserQueries
from portico_users.accounts.store import MongoAccounts
from portico_users.apply.applier import Applier
from portico_users.apply.finding import Stored
from portico_users.apps.queries import AppQueries
from portico_users.apps.store import APPS, MongoApps
from portico_users.credentials.attempts import ATTEMPT_INDEXES, Attempts
from portico_users.credentials.hashing import HashingPool
from portico_users.credentials.passwords import MongoPasswords
from portico_users.credentials.verification import PasswordVerification
from portico_users.domain.names import new_id
from portico_users.humans.store import HUMANS
from portico_users.journal.id_space import IdSpace
from portico_users.journal.journal import Journal
from portico_users.journal.relay import Relay
from portico_users.journal.schema import Schema, indexes_of
from portico_users.machines.store import MACHINES
from portico_users.members.store import MEMBERS, MongoMembers
from portico_users.messages import Messages
from portico_users.orgs.store import ORGS, MongoOrgs
from portico_users.projects.queries import ActiveProjects
from portico_users.projects.store import PROJECTS, MongoProjects
from portico_users.settings import Settings

EVENTS: Final = (ORG_CHANGED, PROJECT_CHANGED, APP_CHANGED, USER_CHANGED, MEMBER_CHANGED)
INDEXES: Final = (indexes_of(ORGS, PROJECTS, APPS, HUMANS, MACHINES, MEMBERS), ATTEMPT_INDEXES)


@dataclass(frozen=True, slots=True)
class Parts:
    """What users is made of; tests pass their own."""

    mongo: MongoClient
    bus: Bus
    clock: Clock
    random: RandomBytes


class Service:
    """All parts, wired."""

    def __init__(self, settings: Settings, parts: Parts) -> None:
        database = parts.mongo.database
        self.schema = Schema(database, INDEXES)
        self.relay = Relay(database, parts.bus, parts.clock, EVENTS, replica=new_id(parts.random))
        self.pool = HashingPool(settings, parts.random)
        orgs, projects, apps = MongoOrgs(database), MongoProjects(database), MongoApps(database)
        accounts = MongoAccounts(database)
        account_queries = AccountQueries(accounts)
        active_projects = ActiveProjects(projects, orgs)
        stored = Stored(
            ids=IdSpace(database),
            orgs=orgs,
            projects=projects,
            apps=apps,
            accounts=accounts,
            members=MongoMembers(database),
            clock=parts.clock,
            random=parts.random,
            issuer=settings.issuer,
        )
        journal = Journal(parts.mongo, self.schema, parts.clock, parts.random, self.relay.committed)
        attempts = Attempts(database, parts.clock, parts.random)
        self.messages = Messages(
            apps=AppQueries(apps, active_projects, parts.clock),
            accounts=account_queries,
            service_users=ServiceUserQueries(accounts, orgs, parts.clock),
            roles=RoleQueries(accounts, orgs, active_projects),
            passwords=PasswordVerification(account_queries, MongoPasswords(database), attempts, self.pool),
            applier=Applier(stored, journal, self.pool),
        )


def create_app(settings: Settings, *, parts: Parts | None = None) -> tuple[FastAPI, Health]:
    """The HTTP application, the answers on the bus, and the health checks.

    Args:
        parts: what it is made of; without them the real servers of the settings.
    """
    parts = parts or _real_parts(settings)
    service = Service(settings, parts)
    service.messages.answer_on(parts.bus)
    indexing = Background("indexes", service.schema.create)
    relaying = Background("outbox", service.relay.carry)
    running: list[Part] = [parts.mongo, service.pool, indexing, parts.bus, service.relay, relaying]
    app = FastAPI(openapi_url=None, docs_url=None, redoc_url=None, lifespan=lifespan(running))
    install_catch_all(app)
    app.add_middleware(Edge)
    health = Health()
    health.add("mongo", parts.mongo.check)
    health.add("bus", parts.bus.check)
    health.add("indexes", service.schema.check)
    return app, health


def _real_parts(settings: Settings) -> Parts:
    return Parts(
        mongo=MongoClient(settings, "users"),
        bus=NatsBus(settings.bus_url, "users", settings.bus_password.get_secret_value()),
        clock=SystemClock(),
        random=secrets.token_bytes,
    )
