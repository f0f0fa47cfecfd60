"""Secrets of senders: sealed for one sender, the password of a mail server also for its host and user."""

from __future__ import annotations

from typing import Final

import msgspec

from portico_users.identity_providers.secrets import SealedSecrets, SecretSealer
from portico_users.notifications.senders.sender import SENDER_TABLE, Sender
from portico_users.storage.entry import Document
from portico_users.webhooks.webhook import SigningSecret

KEEP_SECONDS: Final = 86_400.0
"""How long the previous secret keeps signing after a rotation."""


def with_secret(sender: Sender, secret: str, sealer: SecretSealer, *, old_until: float = 0.0) -> Sender:
    newest = SigningSecret(sealed=sealer.seal_for(secret, _bound_to(sender)))
    kept = [msgspec.structs.replace(old, until=old_until) for old in sender.secrets[:1] if old_until]
    return msgspec.structs.replace(sender, secrets=(newest, *kept))


def secrets_in_force(sender: Sender, sealer: SecretSealer, now: float) -> list[str]:
    """Returns the secrets that sign now, newest first. Raises `UnsealingFailed` if a master key is missing."""
    return [
        sealer.unseal_for(one.sealed, _bound_to(sender)) for one in sender.secrets if not one.until or now < one.until
    ]


def with_password(sender: Sender, password: str, sealer: SecretSealer) -> Sender:
    return msgspec.structs.replace(sender, smtp_password=sealer.seal_for(password, _bound_to_server(sender)))


def password_of(sender: Sender, sealer: SecretSealer) -> str:
    """Raises `UnsealingFailed` if the master key is missing, or if it was stored for another server or user."""
    return sealer.unseal_for(sender.smtp_password, _bound_to_server(sender)) if sender.smtp_password else ""


def _bound_to(sender: Sender) -> bytes:
    return f"sender\n{sender.id}".encode()


def _bound_to_server(sender: Sender) -> bytes:
    return f"sender\n{sender.id}\n{sender.smtp_host}:{sender.smtp_port}\n{sender.smtp_user}".encode()


class SenderSecrets(SealedSecrets):
    name = "sender-secrets"
    text = "secrets of senders of emails and text messages, sealed under the newest master key"
    table = SENDER_TABLE

    @property
    def due(self) -> Document:
        return {"$or": [{"secrets": {"$elemMatch": {"sealed": self.sealer.due}}}, {"smtpPassword": self.sealer.due}]}

    def resealed(self, document: Document) -> Document:
        sender, sealer = SENDER_TABLE.record(document), self.sealer
        secrets = tuple(
            msgspec.structs.replace(one, sealed=sealer.reseal_for(one.sealed, _bound_to(sender)))
            for one in sender.secrets
        )
        password = sealer.reseal_for(sender.smtp_password, _bound_to_server(sender)) if sender.smtp_password else ""
        return {"secrets": msgspec.to_builtins(secrets), "smtpPassword": password}
