"""What a receiver gets: the event as JSON, signed as Standard Webhooks specifies (v1, HMAC-SHA256)."""

from __future__ import annotations

import base64
import hashlib
import hmac
from collections.abc import Iterable
from typing import Final

import msgspec
from portico_contracts.events import Changed
from portico_oauth.opaque import RandomBytes

from portico_users.kernel.timestamps import rfc_3339

PREFIX: Final = "whsec_"
_SECRET_BYTES: Final = 32
_LEAST, _MOST = 24, 64
"""Bytes of a secret, as the specification has them."""


def new_secret(random: RandomBytes) -> str:
    """A secret in the form receivers' libraries take."""
    return PREFIX + base64.b64encode(random(_SECRET_BYTES)).decode()


def is_secret(text: str) -> bool:
    """True for a secret that can sign: 24 to 64 bytes as base64 behind ``whsec_``."""
    try:
        key = base64.b64decode(text.removeprefix(PREFIX), validate=True)
    except ValueError:
        return False
    return text.startswith(PREFIX) and _LEAST <= len(key) <= _MOST


def body_of(event_type: str, table: str, changed: Changed) -> str:
    """The event: ids and names of what changed, never values (a receiver that may read them requests them)."""
    data = {
        "id": changed.event_id,
        "aggregateType": table,
        "aggregateId": changed.aggregate_id,
        "resourceOwner": changed.org_id,
        "sequence": str(changed.sequence),
        "editorUserId": changed.actor,
        "fields": changed.fields,
    }
    return msgspec.json.encode({"type": event_type, "timestamp": rfc_3339(changed.at), "data": data}).decode()


def headers_of(event_id: str, body: str, secrets: Iterable[str], now: float) -> dict[str, str]:
    """The headers of one attempt: the same id at each of them, a signature by each secret in force."""
    timestamp = str(int(now))
    signed = f"{event_id}.{timestamp}.{body}".encode()
    return {
        "Content-Type": "application/json",
        "webhook-id": event_id,
        "webhook-timestamp": timestamp,
        "webhook-signature": " ".join(f"v1,{_signature(secret, signed)}" for secret in secrets),
    }


def _signature(secret: str, signed: bytes) -> str:
    key = base64.b64decode(secret.removeprefix(PREFIX))
    return base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
