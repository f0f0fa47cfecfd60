"""A client secret that was replaced and may still be good, as fields of messages; None leaves a field out."""

from __future__ import annotations

from google.protobuf.timestamp_pb2 import Timestamp

from portico_users.api.shared.details import timestamp_of
from portico_users.directory.client_keys.client_secrets import PreviousSecret


def replaced_of(previous: PreviousSecret | None) -> Timestamp | None:
    """When it was replaced."""
    return timestamp_of(previous.replaced) if previous else None


def until_of(previous: PreviousSecret | None) -> Timestamp | None:
    """Until when it is good."""
    return timestamp_of(previous.until) if previous else None
