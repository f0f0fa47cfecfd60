from __future__ import annotations

from typing import Final

from portico_contracts import catalogue
from portico_runtime.mongo.schema_version import SchemaVersion

from portico_users.administrators.member import MEMBERS
from portico_users.applications.client_keys.secret_uses import SECRET_USE_INDEXES
from portico_users.applications.metadata_documents.fetched_documents import CLIENT_DOCUMENT_INDEXES
from portico_users.applications.store import APPS
from portico_users.audit.sign_ins.daily_counts import COUNT_INDEXES
from portico_users.audit.sign_ins.last_sign_ins import SIGN_IN_INDEXES
from portico_users.credentials.attempts.attempts import ATTEMPT_INDEXES
from portico_users.credentials.email_code_sign_in import EMAIL_CODE_INDEXES
from portico_users.credentials.enrolments import ENROLMENT_INDEXES
from portico_users.credentials.revocations import REVOCATION_INDEXES
from portico_users.credentials.sign_in_codes import SIGN_IN_CODE_INDEXES
from portico_users.credentials.text_codes import TEXT_CODE_INDEXES
from portico_users.credentials.totp.authenticators import TOTP_INDEXES
from portico_users.credentials.webauthn.ceremonies import CEREMONY_INDEXES
from portico_users.credentials.webauthn.registration_links import LINK_INDEXES
from portico_users.credentials.webauthn.stored_credentials import CREDENTIAL_INDEXES
from portico_users.diagnostics.store import TRACE_INDEXES
from portico_users.end_users.codes.challenges import CHALLENGE_INDEXES
from portico_users.end_users.store import HUMANS
from portico_users.first_run.first_run_links import FIRST_RUN_INDEXES
from portico_users.groups.group import GROUPS
from portico_users.identity_providers.endings import ENDING_INDEXES
from portico_users.identity_providers.federation.intents import INTENT_INDEXES
from portico_users.identity_providers.federation.jwt_provider import USED_TOKEN_INDEXES
from portico_users.identity_providers.federation.last_tests import LAST_TEST_INDEXES
from portico_users.identity_providers.store import IDPS
from portico_users.instance.instance import INSTANCES
from portico_users.lazy_migration.migration_claims import MIGRATION_CLAIM_INDEXES
from portico_users.notifications.email.queue import EMAIL_INDEXES
from portico_users.notifications.notices.notice_links import NOTICE_LINK_INDEXES
from portico_users.notifications.senders.allowance import TEXT_COUNT_INDEXES
from portico_users.notifications.senders.sender import SENDER_TABLE
from portico_users.organizations.org import ORGS
from portico_users.outside_servers.server import OUTSIDE_SERVERS
from portico_users.policies.logos import LOGO_INDEXES
from portico_users.projects.project_grants import PROJECT_GRANTS
from portico_users.projects.store import PROJECTS
from portico_users.scim.connection import SCIM_CONNECTIONS
from portico_users.scim_targets.queues import TARGET_QUEUE_INDEXES
from portico_users.scim_targets.target import SCIM_TARGETS
from portico_users.scim_targets.target_users import TARGET_USERS_INDEXES
from portico_users.service_users.service_user import SERVICE_USERS
from portico_users.sessions.agent_uses import AGENT_USE_INDEXES
from portico_users.storage.entry import Table
from portico_users.storage.schema import indexes_of
from portico_users.values.records import Record
from portico_users.webhooks.deliveries import DELIVERY_INDEXES
from portico_users.webhooks.delivery_queues import QUEUE_INDEXES
from portico_users.webhooks.store import WEBHOOK_TABLE

TABLES: Final[tuple[Table[Record], ...]] = (
    INSTANCES,
    ORGS,
    PROJECTS,
    PROJECT_GRANTS,
    APPS,
    GROUPS,
    HUMANS,
    SERVICE_USERS,
    MEMBERS,
    IDPS,
    WEBHOOK_TABLE,
    SENDER_TABLE,
    SCIM_CONNECTIONS,
    SCIM_TARGETS,
    OUTSIDE_SERVERS,
)
EVENTS: Final = tuple(event for event in catalogue.EVENTS if event.published_by == "users")
"""All events of this service: of its tables, and those that are not changes of a record."""

INDEXES: Final = (
    indexes_of(*TABLES),
    ATTEMPT_INDEXES,
    MIGRATION_CLAIM_INDEXES,
    REVOCATION_INDEXES,
    ENDING_INDEXES,
    EMAIL_INDEXES,
    CHALLENGE_INDEXES,
    CEREMONY_INDEXES,
    CREDENTIAL_INDEXES,
    LINK_INDEXES,
    NOTICE_LINK_INDEXES,
    TOTP_INDEXES,
    SIGN_IN_CODE_INDEXES,
    EMAIL_CODE_INDEXES,
    TEXT_CODE_INDEXES,
    ENROLMENT_INDEXES,
    FIRST_RUN_INDEXES,
    DELIVERY_INDEXES,
    QUEUE_INDEXES,
    TARGET_QUEUE_INDEXES,
    TARGET_USERS_INDEXES,
    TEXT_COUNT_INDEXES,
    USED_TOKEN_INDEXES,
    INTENT_INDEXES,
    LAST_TEST_INDEXES,
    CLIENT_DOCUMENT_INDEXES,
    SECRET_USE_INDEXES,
    AGENT_USE_INDEXES,
    LOGO_INDEXES,
    TRACE_INDEXES,
    COUNT_INDEXES,
    SIGN_IN_INDEXES,
)

SCHEMA_VERSION: Final = SchemaVersion(writes=1, reads=1, read_by=1)
"""Schema version of stored records. A compatible change raises `writes`; a breaking one takes two releases
(decision 0073).
"""
