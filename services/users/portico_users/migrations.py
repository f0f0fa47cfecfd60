"""Migrations of stored records, run by `portico migrate` (decision 0078).

A release with a new schema version also reads the older one, and adds a migration here. The release after the
next may remove both, once `portico migrate` of the previous one has nothing left.
"""

from __future__ import annotations

from typing import Final

from portico_runtime.mongo.migrations import Migration

from portico_users.accounts.word_index import AppWords, GroupWords, OrgWords, ProjectWords, UserMarks, UserWords
from portico_users.credentials.passwords.hash_counts import HashCounts
from portico_users.credentials.totp.authenticators import AuthenticatorSecrets
from portico_users.end_users.proof_migration import ProofMigration
from portico_users.identity_providers.commands.provider_links import ProviderLinks
from portico_users.identity_providers.secrets import ProviderSecrets
from portico_users.notifications.senders.secrets import SenderSecrets
from portico_users.projects.left_of_projects import LeftApps, LeftMembers
from portico_users.scim_targets.tokens import TargetTokens
from portico_users.webhooks.changes import WebhookSecrets

MIGRATIONS: Final[tuple[type[Migration], ...]] = (
    ProofMigration,
    HashCounts,
    AuthenticatorSecrets,
    ProviderSecrets,
    WebhookSecrets,
    TargetTokens,
    SenderSecrets,
    UserWords,
    UserMarks,
    AppWords,
    ProjectWords,
    GroupWords,
    OrgWords,
    LeftMembers,
    LeftApps,
    ProviderLinks,
)
"""In execution order."""
