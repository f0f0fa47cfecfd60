"""Everything users keeps: its tables, their events, all indexes."""

from __future__ import annotations

from typing import Any, Final

from portico_users.apps.store import APPS
from portico_users.credentials.attempts import ATTEMPT_INDEXES
from portico_users.credentials.factor_mail import FACTOR_MAIL_INDEXES
from portico_users.credentials.passkey_links import LINK_INDEXES
from portico_users.credentials.revocations import REVOCATION_INDEXES
from portico_users.credentials.totp import TOTP_INDEXES
from portico_users.credentials.webauthn.ceremonies import CEREMONY_INDEXES
from portico_users.credentials.webauthn.keys import KEY_INDEXES
from portico_users.humans.store import HUMANS
from portico_users.idps.store import IDPS
from portico_users.instance.store import INSTANCES
from portico_users.journal.entry import Table
from portico_users.journal.schema import indexes_of
from portico_users.machines.store import MACHINES
from portico_users.mail.queue import MAIL_INDEXES
from portico_users.members.store import MEMBERS
from portico_users.orgs.store import ORGS
from portico_users.project_grants.store import PROJECT_GRANTS
from portico_users.projects.store import PROJECTS
from portico_users.registration.challenges import CHALLENGE_INDEXES
from portico_users.webhooks.deliveries import DELIVERY_INDEXES
from portico_users.webhooks.lanes import LANE_INDEXES
from portico_users.webhooks.store import WEBHOOK_TABLE

TABLES: Final[tuple[Table[Any], ...]] = (
    INSTANCES,
    ORGS,
    PROJECTS,
    PROJECT_GRANTS,
    APPS,
    HUMANS,
    MACHINES,
    MEMBERS,
    IDPS,
    WEBHOOK_TABLE,
)
EVENTS: Final = tuple(dict.fromkeys(table.event for table in TABLES))
INDEXES: Final = (
    indexes_of(*TABLES),
    ATTEMPT_INDEXES,
    REVOCATION_INDEXES,
    MAIL_INDEXES,
    CHALLENGE_INDEXES,
    CEREMONY_INDEXES,
    KEY_INDEXES,
    LINK_INDEXES,
    TOTP_INDEXES,
    FACTOR_MAIL_INDEXES,
    DELIVERY_INDEXES,
    LANE_INDEXES,
)
