"""Encrypted secrets, bound to provider and issuer (MG-18), or to the webhook."""

from __future__ import annotations

import base64
from abc import abstractmethod
from dataclasses import dataclass
from typing import ClassVar

from portico_oauth.errors import ErrorCode, Kind
from portico_oauth.master_keys import MasterKeys, SealedAtRest, UnsealingFailed
from portico_oauth.opaque import RandomBytes
from portico_runtime.mongo.client import Database
from portico_runtime.mongo.migrations import ById, Collection
from pymongo import UpdateOne

from portico_users.identity_providers.store import IDPS
from portico_users.storage.entry import Document, Table
from portico_users.values.records import Record

NO_MASTER_KEYS = ErrorCode(
    "USER-606",
    Kind.FAILED_PRECONDITION,
    "Secret storage is not configured.",
    "Ask the operator to set PORTICO_MASTER_KEYS.",
)
UNREADABLE_SECRET = ErrorCode(
    "USER-690",
    Kind.UNAVAILABLE,
    "A stored secret cannot be decrypted.",
    "Ask the operator to add the master key that /readyz of users names to PORTICO_MASTER_KEYS, after the newest one.",
)


@dataclass(frozen=True, slots=True)
class SecretSealer:
    keys: MasterKeys | None
    random: RandomBytes

    def seal(self, secret: str, idp_id: str, issuer: str) -> str:
        return self.seal_for(secret, _bound_to(idp_id, issuer))

    def unseal(self, stored: str, idp_id: str, issuer: str) -> str:
        """Raises `UnsealingFailed` without its master key, or if it was stored for another provider or issuer."""
        return self.unseal_for(stored, _bound_to(idp_id, issuer))

    @property
    def due(self) -> Document:
        if self.keys is None:
            return {"$in": []}
        return {"$gt": "", "$not": {"$regex": f"^{self.keys.sealing}\\."}}

    def seal_for(self, secret: str, bound_to: bytes) -> str:
        """Encrypts a secret bound to a context. Raises USER-606 without master keys."""
        if self.keys is None:
            raise NO_MASTER_KEYS.error()
        sealed = self.keys.seal(secret.encode(), bound_to, self.random)
        return f"{sealed.master}.{_text(sealed.nonce)}.{_text(sealed.data)}"

    def reseal_for(self, stored: str, bound_to: bytes) -> str:
        return self.seal_for(self.unseal_for(stored, bound_to), bound_to)

    def unseal_for(self, stored: str, bound_to: bytes) -> str:
        if self.keys is None:
            raise NO_MASTER_KEYS.error()
        master, nonce, data = stored.split(".")
        sealed = SealedAtRest(master, base64.b64decode(nonce), base64.b64decode(data))
        return self.keys.unseal(sealed, bound_to).decode()


def _bound_to(idp_id: str, issuer: str) -> bytes:
    return f"idp\n{idp_id}\n{issuer}".encode()


def _text(data: bytes) -> str:
    return base64.b64encode(data).decode()


@dataclass(frozen=True, slots=True)
class SealedSecrets(ById):
    """Seals the secrets of one table under the newest master key."""

    database: Database
    sealer: SecretSealer
    table: ClassVar[Table[Record]]

    @property
    def rows(self) -> Collection:
        return self.database[self.table.name]

    def change(self, document: Document) -> UpdateOne | None:
        try:
            sealed = self.resealed(document)
        except UnsealingFailed:
            return None
        same = {name: document[name] for name in ("_id", *sealed)}
        return UpdateOne(same, {"$set": sealed})

    @abstractmethod
    def resealed(self, document: Document) -> Document:
        """The changed fields. Raises `UnsealingFailed`."""


class ProviderSecrets(SealedSecrets):
    name = "provider-secrets"
    text = "secrets at identity providers, sealed under the newest master key"
    table = IDPS

    @property
    def due(self) -> Document:
        return {"sealedSecret": self.sealer.due}

    def resealed(self, document: Document) -> Document:
        idp = IDPS.record(document)
        bound_to = _bound_to(idp.id, idp.config.sealed_for)
        return {"sealedSecret": self.sealer.reseal_for(idp.sealed_secret, bound_to)}
