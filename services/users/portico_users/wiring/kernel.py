"""The kernel: schema, journal, outbox, event log."""

from __future__ import annotations

from portico_oauth.opaque import RandomBytes
from portico_runtime.bus import Bus
from portico_runtime.clock import Clock
from portico_runtime.facts.versions import Versions
from portico_runtime.migrations import Migrations
from portico_runtime.mongo import Database, MongoClient
from portico_runtime.stored_form import StoredForm

from portico_users.directory.accounts.constraints import CONSTRAINTS
from portico_users.kernel.event_log import EventLog
from portico_users.kernel.journal import Journal
from portico_users.kernel.names import new_id
from portico_users.kernel.outbox import Backlog, Relay
from portico_users.kernel.redis_marks import RedisMarks
from portico_users.kernel.republishing import Republishing
from portico_users.kernel.schema import IdSpace, Schema
from portico_users.migrations import MIGRATIONS
from portico_users.notifications.email.queue import EmailQueue
from portico_users.notifications.notices.notices import Notices
from portico_users.tables import EVENTS, FORM, INDEXES, TABLES
from portico_users.wiring.parts import Parts


def add_kernel(parts: Parts) -> None:
    """Adds the room."""
    parts.offer(_form, _schema, _relay, _journal, Backlog, EventLog, IdSpace, RedisMarks, _republishing, _migrations)


def _form(database: Database) -> StoredForm:
    return StoredForm(database, "users", FORM)


def _schema(database: Database) -> Schema:
    return Schema(database, INDEXES)


def _relay(database: Database, bus: Bus, clock: Clock, random: RandomBytes) -> Relay:
    return Relay(database, bus, clock, EVENTS, replica=new_id(random))


def _republishing(database: Database, relay: Relay) -> Republishing:
    return Republishing(database, relay, {table.name: table.event for table in TABLES})


def _migrations(parts: Parts, form: StoredForm) -> Migrations:
    return Migrations(form, [parts.find(migration) for migration in MIGRATIONS])


def _journal(
    mongo: MongoClient,
    schema: Schema,
    clock: Clock,
    random: RandomBytes,
    relay: Relay,
    emails: EmailQueue | None,
    notices: Notices,
    versions: Versions,
) -> Journal:
    def committed() -> None:
        """Wakes the relay, since events wait, and the dispatcher of emails."""
        relay.committed()
        if emails:
            emails.committed()

    return Journal(
        mongo, schema, clock, random, committed, constraints=CONSTRAINTS, notifications=notices, versions=versions
    )
