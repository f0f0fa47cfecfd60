from __future__ import annotations

from typing import Final

import msgspec
from portico_oauth.errors import ErrorCode, Kind

from portico_users.identity_providers.secrets import SealedSecrets, SecretSealer
from portico_users.storage.entry import Document, Entry
from portico_users.values.problems import at, refuse_first
from portico_users.values.records import State
from portico_users.webhooks.rules import Allowed, problems_of
from portico_users.webhooks.store import WEBHOOK_TABLE
from portico_users.webhooks.webhook import SigningSecret, Webhook, is_secret

TOO_MANY_WEBHOOKS = ErrorCode(
    "USER-803",
    Kind.FAILED_PRECONDITION,
    "Too many webhooks.",
    "Delete a webhook, or subscribe an existing one to more event types.",
)
INVALID_SECRET = ErrorCode(
    "USER-806",
    Kind.INVALID_REQUEST,
    "Invalid webhook secret.",
    "Use whsec_ followed by the base64 of 24 to 64 random bytes, or omit the secret.",
)

_IN_FORCE: Final = 2


def put_webhook(before: Webhook | None, after: Webhook, allowed: Allowed) -> Entry[Webhook]:
    refuse_first(problems_of(after, allowed))
    return Entry(WEBHOOK_TABLE, before, after)


def with_secret(webhook: Webhook, secret: str, sealer: SecretSealer, *, old_until: float = 0.0) -> Webhook:
    if not is_secret(secret):
        raise at("secret", INVALID_SECRET.error())
    newest = SigningSecret(sealed=sealer.seal_for(secret, _bound_to(webhook.id)))
    kept = [msgspec.structs.replace(old, until=old_until) for old in webhook.secrets[: _IN_FORCE - 1] if old_until]
    return msgspec.structs.replace(webhook, secrets=(newest, *kept))


def secrets_in_force(webhook: Webhook, sealer: SecretSealer, now: float) -> list[str]:
    """Returns the secrets that sign now, newest first. Raises `UnsealingFailed` if a master key is missing."""
    return [
        sealer.unseal_for(one.sealed, _bound_to(webhook.id))
        for one in webhook.secrets
        if not one.until or now < one.until
    ]


def remove_webhook(before: Webhook) -> Entry[Webhook]:
    """Deletes the secrets; the id is never reused."""
    return Entry(WEBHOOK_TABLE, before, msgspec.structs.replace(before, state=State.DELETED, secrets=()))


def _bound_to(webhook_id: str) -> bytes:
    return f"webhook\n{webhook_id}".encode()


class WebhookSecrets(SealedSecrets):
    name = "webhook-secrets"
    text = "secrets of webhooks, sealed under the newest master key"
    table = WEBHOOK_TABLE

    @property
    def due(self) -> Document:
        return {"secrets": {"$elemMatch": {"sealed": self.sealer.due}}}

    def resealed(self, document: Document) -> Document:
        webhook, sealer = WEBHOOK_TABLE.record(document), self.sealer
        secrets = tuple(
            msgspec.structs.replace(one, sealed=sealer.reseal_for(one.sealed, _bound_to(webhook.id)))
            for one in webhook.secrets
        )
        return {"secrets": msgspec.to_builtins(secrets)}
