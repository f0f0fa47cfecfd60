"""Keys and client secrets as messages: their public part, and of that only what a person needs."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, Literal, Protocol

from google.protobuf.timestamp_pb2 import Timestamp
from portico_contracts.generated.portico.management.v1 import keys_pb2 as pb

from portico_users.applications.client_keys.assertion_keys import AssertionKey
from portico_users.applications.client_keys.client_secrets import PreviousSecret
from portico_users.applications.client_keys.key_files import key_file
from portico_users.management_api.protobuf.details import details_of, timestamp_of
from portico_users.service_users.commands import AddedKey
from portico_users.values.problems import at
from portico_users.values.records import Record
from portico_users.values.timestamps import INVALID_TIME

_LATEST: Final = 253_402_300_799
"""The end of the year 9999, the latest date of RFC 3339."""


class MayExpire(Protocol):
    expiration_date: Timestamp

    def HasField(self, field_name: Literal["expiration_date"], /) -> bool:  # noqa: N802 - protobuf's name
        ...


def expiration_of(request: MayExpire) -> float:
    """Returns the requested expiration in unix seconds; 0 for none. Raises USER-052 within the last second of 9999."""
    if not request.HasField("expiration_date"):
        return 0.0
    end = request.expiration_date.seconds + request.expiration_date.nanos / 1e9
    if end > _LATEST:
        raise at("expirationDate", INVALID_TIME.error())
    return max(end, 1.0)  # 0 is stored for never, and 1970 has passed


def key_message(owner: Record, key: AssertionKey) -> pb.Key:
    message = pb.Key(id=key.kid, details=details_of(owner), type=pb.KEY_TYPE_JSON, algorithm=key.alg)
    if key.expires_at:
        message.expiration_date.CopyFrom(timestamp_of(key.expires_at))
    return message


def key_messages(owner: Record, keys: Iterable[AssertionKey]) -> list[pb.Key]:
    return [key_message(owner, key) for key in keys]


class HasPublicKey(Protocol):
    public_key: bytes


def public_key_of(request: HasPublicKey) -> str:
    """Bytes that are not text fail validation as a key."""
    return request.public_key.decode(errors="replace")


def file_of(added: AddedKey) -> bytes:
    """Returns the key file; empty if the caller supplied the public key."""
    return key_file("serviceaccount", added.pair, userId=added.user.id) if added.pair else b""


def replaced_of(previous: PreviousSecret | None) -> Timestamp | None:
    return timestamp_of(previous.replaced) if previous else None


def until_of(previous: PreviousSecret | None) -> Timestamp | None:
    return timestamp_of(previous.until) if previous else None
