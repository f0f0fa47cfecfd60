from __future__ import annotations

from types import ModuleType
from typing import Any, Final, NamedTuple

from portico_contracts import authz, diagnostics, events, keys, login_sessions, migrations, token, users
from portico_contracts.subjects import UNREADY, Consumer, Event, Report, Rpc
from portico_contracts.topology import TOPOLOGY
from portico_contracts.users import email_codes, enrolment, first_run, listed_events, redis_watermarks, republishing

SERVICES: Final = tuple(TOPOLOGY)
OPERATOR: Final = "operator"

BUS_SERVICES: Final = tuple(workload.name for workload in TOPOLOGY.values() if workload.bus)
"""Services that connect to the bus; login-ui and console use HTTP only."""

BUS_USERS: Final = (*BUS_SERVICES, OPERATOR)
MAX_PAYLOAD: Final = 8 * 1024 * 1024


def _entries(module: ModuleType, kind: type) -> list[Any]:
    return [value for value in vars(module).values() if isinstance(value, kind)]


_MODULES: Final = (
    authz,
    login_sessions,
    keys,
    token,
    users,
    email_codes,
    enrolment,
    first_run,
    redis_watermarks,
    republishing,
    listed_events,
    diagnostics,
    migrations,
)
"""Where calls and reports are."""

RPCS: Final[tuple[Rpc[Any, Any], ...]] = tuple(entry for module in _MODULES for entry in _entries(module, Rpc))
EVENTS: Final[tuple[Event[Any], ...]] = tuple(_entries(events, Event))
REPORTS: Final[tuple[Report[Any], ...]] = tuple(entry for module in _MODULES for entry in _entries(module, Report))
CONSUMERS: Final[tuple[Consumer, ...]] = tuple(_entries(events, Consumer))


class Permissions(NamedTuple):
    publish: tuple[str, ...]
    subscribe: tuple[str, ...]


def inbox_prefix(user: str) -> str:
    """Each user receives replies in a separate inbox that no other user may read."""
    return f"_INBOX_{user}"


def creates_stream(user: str) -> bool:
    """Creating an existing stream does not change it; no service may update or delete it."""
    return user == OPERATOR or any(consumer.consumed_by == user for consumer in CONSUMERS)


def permissions_of(user: str) -> Permissions:
    asks = [subject for rpc in RPCS if user in rpc.called_by for subject in (rpc.subject, rpc.unready_subject)]
    says = [event.subject for event in EVENTS if event.published_by == user]
    reports = [report.subject for report in REPORTS if user in report.sent_by]
    answers = [rpc.subject for rpc in RPCS if rpc.owner == user]
    receives = [report.subject for report in REPORTS if report.owner == user]
    publish = [*asks, *says, *reports]
    unready = [f"{UNREADY}{user}.>"] if answers else []
    subscribe = [*answers, *unready, *receives, f"{inbox_prefix(user)}.>"]
    if user in BUS_SERVICES:
        # Micro services answer discovery. Events are hints to every replica (a plain subscription) and work to be
        # done once (a consumer of the stream, from which no other service fetches).
        subscribe += ["$SRV.>", "events.v1.>"]
        publish.append(f"$JS.API.STREAM.INFO.{events.STREAM}")
    for consumer in (one for one in CONSUMERS if one.consumed_by == user):
        publish += [
            f"$JS.API.CONSUMER.CREATE.{events.STREAM}.{consumer.name}",
            f"$JS.API.CONSUMER.INFO.{events.STREAM}.{consumer.name}",
            f"$JS.API.CONSUMER.MSG.NEXT.{events.STREAM}.{consumer.name}",
            f"$JS.ACK.{events.STREAM}.{consumer.name}.>",
        ]
    if creates_stream(user):
        publish.append(f"$JS.API.STREAM.CREATE.{events.STREAM}")
    if user == OPERATOR:
        publish += [f"$JS.API.STREAM.{verb}.{events.STREAM}" for verb in ("INFO", "UPDATE")] + ["$SRV.>"]
    return Permissions(tuple(publish), tuple(subscribe))
