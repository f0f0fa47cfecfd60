"""Keys as messages: their public part, and of that only what a person needs."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

from google.protobuf.timestamp_pb2 import Timestamp
from portico_contracts.generated.portico.management.v1 import keys_pb2 as pb

from portico_users.domain.assertion_keys import AssertionKey
from portico_users.domain.records import Record
from portico_users.management.calls.details import details_of, moment


class MayExpire(Protocol):
    """A request for something with an end."""

    @property
    def expiration_date(self) -> Timestamp:
        """The end; zero for none."""
        ...


def seconds_of(request: MayExpire) -> float:
    """The end that is wanted, in unix seconds; 0 for none."""
    return request.expiration_date.seconds + request.expiration_date.nanos / 1e9


def key_message(owner: Record, key: AssertionKey) -> pb.Key:
    """One key."""
    message = pb.Key(id=key.kid, details=details_of(owner), type=pb.KEY_TYPE_JSON, algorithm=key.alg)
    if key.expires_at:
        message.expiration_date.CopyFrom(moment(key.expires_at))
    return message


def key_messages(owner: Record, keys: Iterable[AssertionKey]) -> list[pb.Key]:
    """Several keys of one owner."""
    return [key_message(owner, key) for key in keys]
