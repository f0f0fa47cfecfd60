"""The long changes of stored records that `portico migrate` carries out (decision 0078).

A release that stores something in another form reads the older one as well, and adds a class here that rewrites it. The
release after the next may leave out both, once `portico migrate` of the one before had nothing left.
"""

from __future__ import annotations

from typing import Final

from portico_runtime.migrations import Migration

from portico_users.credentials.passwords.hash_counts import HashCounts
from portico_users.credentials.totp.authenticators import AuthenticatorSecrets
from portico_users.directory.identity_providers.secrets import ProviderSecrets
from portico_users.directory.people.proof_migration import ProofMigration
from portico_users.notifications.webhooks.changes import WebhookSecrets

MIGRATIONS: Final[tuple[type[Migration], ...]] = (
    ProofMigration,
    HashCounts,
    AuthenticatorSecrets,
    ProviderSecrets,
    WebhookSecrets,
)
"""In the order they are carried out."""
