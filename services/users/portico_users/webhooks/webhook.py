"""The webhook, the message that it gets, and when its deliveries are tried."""

from __future__ import annotations

import base64
import hashlib
import hmac
import re
from collections.abc import Iterable
from datetime import UTC
from email.utils import parsedate_to_datetime
from typing import Final

import msgspec
from portico_contracts import apply as document
from portico_contracts.events import Changed
from portico_contracts.users import OnFailure
from portico_oauth.opaque import RandomBytes

from portico_users.values.fields import STATE, Field, Fields, Words
from portico_users.values.names import INSTANCE
from portico_users.values.records import Record
from portico_users.values.timestamps import rfc_3339


class SigningSecret(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """A secret encrypted for this webhook; signs up to ``until`` (unix seconds), 0 for the newest one."""

    sealed: str
    until: float = 0.0


class Webhook(Record, frozen=True, kw_only=True):
    """A subscriber to the changes of an organization, or of all if it belongs to the instance.

    Attributes:
        event_types: ``user.created``, ``user.*``, ``*``.
        secrets: newest first; two during a rotation.
        failure: reason of an automatic deactivation; empty for none.
        project_id: of a token hook of an organization, the project whose tokens it adds claims to.
        on_failure: of a token hook, as `at_refresh`: whether it is called at each refresh, too.
    """

    name: str
    url: str
    event_types: tuple[str, ...]
    secrets: tuple[SigningSecret, ...] = ()
    failure: str = ""
    project_id: str = ""
    on_failure: OnFailure = OnFailure.CLOSED
    at_refresh: bool = False

    @property
    def of_instance(self) -> bool:
        return self.org_id == INSTANCE

    @property
    def is_token_hook(self) -> bool:
        return TOKEN_ISSUE in self.event_types

    def receives(self, event_type: str) -> bool:
        return any(
            event_type.startswith(one[:-1]) if one.endswith("*") else event_type == one for one in self.event_types
        )


TOKEN_ISSUE: Final = "token.issue"
"""Not an event: the webhook is a token hook, which is called before tokens are issued, and answers (decision 0149)."""

_ON_FAILURE: Final = Field(
    "on_failure", conversion=Words({name: OnFailure(name.value) for name in document.OnFailureName})
)
WEBHOOK_FIELDS: Final = Fields(Webhook, document.Webhook, (STATE, _ON_FAILURE), hidden=("secrets", "failure"))

_MINUTE: Final = 60.0
_HOUR: Final = 3600.0

PAUSES: Final = (5.0, 30.0, 2 * _MINUTE, 10 * _MINUTE, 30 * _MINUTE, _HOUR, 2 * _HOUR, 4 * _HOUR, 6 * _HOUR)
"""Seconds after the first, second, … attempt; the last one repeats."""

GIVE_UP_SECONDS: Final = 72 * _HOUR
"""How long a delivery is retried, and how long a webhook may fail before it is deactivated."""

LONGEST_REST: Final = 10 * _MINUTE

_LONGEST_DATE: Final = 40
_SECONDS: Final = re.compile(r"[0-9]{1,20}")


def retry_after(attempts: int) -> float:
    """Returns the seconds to wait after so many failed attempts."""
    return PAUSES[min(attempts, len(PAUSES)) - 1]


def asked_pause(retry_after: str, now: float) -> float:
    """Returns seconds, at most the longest of `PAUSES`, from a Retry-After (RFC 9110 section 10.2.3)."""
    text = retry_after.strip()
    if _SECONDS.fullmatch(text):
        return min(float(text), PAUSES[-1])
    try:
        until = parsedate_to_datetime(text[:_LONGEST_DATE]).replace(tzinfo=UTC).timestamp()
    except (ValueError, OverflowError):
        return 0.0
    return min(max(until - now, 0.0), PAUSES[-1])


def rest_after(failures: int) -> float:
    """Returns the pause of a queue after so many failed rounds: 1 s, doubling."""
    return min(LONGEST_REST, 2.0 ** min(failures - 1, 20))


PREFIX: Final = "whsec_"
_SECRET_BYTES: Final = 32
_LEAST, _MOST = 24, 64
"""Secret length in bytes, from the specification."""


def new_secret(random: RandomBytes) -> str:
    return PREFIX + base64.b64encode(random(_SECRET_BYTES)).decode()


def is_secret(text: str) -> bool:
    """Accepts 24 to 64 bytes as base64 with the prefix ``whsec_``."""
    try:
        key = base64.b64decode(text.removeprefix(PREFIX), validate=True)
    except ValueError:
        return False
    return text.startswith(PREFIX) and _LEAST <= len(key) <= _MOST


def body_of(event_type: str, table: str, changed: Changed) -> str:
    """Returns ids and names of changed fields, never values; receivers fetch those with their own permissions."""
    data = {
        "id": changed.event_id,
        "aggregateType": table,
        "aggregateId": changed.aggregate_id,
        "resourceOwner": changed.org_id,
        "sequence": str(changed.sequence),
        "editorUserId": changed.actor,
        "fields": changed.fields,
    }
    about = {"userId": changed.user_id, "clientId": changed.client_id, "appId": changed.app_id}
    data |= {name: id for name, id in about.items() if id}
    return msgspec.json.encode({"type": event_type, "timestamp": rfc_3339(changed.at), "data": data}).decode()


def headers_of(event_id: str, body: str, secrets: Iterable[str], now: float) -> dict[str, str]:
    """Returns the headers of an attempt: the same id for all attempts, and a signature for each active secret."""
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
