from __future__ import annotations

import re
from importlib import import_module
from pkgutil import walk_packages
from typing import Any

import msgspec
import portico_contracts
import pytest
from msgspec import inspect
from portico_contracts import apply
from portico_contracts.catalogue import BUS_USERS, EVENTS, REPORTS, RPCS, SERVICES, inbox_prefix, permissions_of
from portico_contracts.events import Changed
from portico_contracts.subjects import Event, Message, Report, Rpc
from portico_fakes.samples import message_kinds

SUBJECT = re.compile(r"(authz|token|keys|users)\.v[1-9]\.[a-z_]+\.[a-z_]+\Z")
EVENT_SUBJECT = re.compile(r"events\.v[1-9]\.[a-z_]+\.[a-z_]+\Z")
LOOKS_SECRET = re.compile(r"password|secret|verifier|private|assertion|csrf|cookie|browser|(^|_)token\Z|^(code|otp)\Z")
KINDS = message_kinds()


def test_subject_is_unique() -> None:
    subjects = [entry.subject for entries in (RPCS, EVENTS, REPORTS) for entry in entries]

    assert len(set(subjects)) == len(subjects)


def test_every_subject_of_a_module_is_in_the_catalogue() -> None:
    """Who sends a subject that is not in it has no permission for it at the bus."""
    modules = [import_module(one.name) for one in walk_packages(portico_contracts.__path__, "portico_contracts.")]
    declared = {
        entry.subject
        for module in modules
        for entry in vars(module).values()
        if isinstance(entry, Rpc | Event | Report)
    }

    assert declared - {entry.subject for entries in (RPCS, EVENTS, REPORTS) for entry in entries} == set()


def test_request_has_one_owner_and_known_callers() -> None:
    """A request's subject names the service that answers, and only other bus users send it."""
    assert [rpc.subject for rpc in RPCS if not _goes_to_another(rpc, rpc.called_by)] == []


def test_an_event_has_one_publisher() -> None:
    """An event has exactly one publisher, so that subscribers may trust its subject (IN-08)."""
    assert [event.subject for event in EVENTS if not EVENT_SUBJECT.match(event.subject)] == []
    assert [event.subject for event in EVENTS if event.published_by not in SERVICES] == []


def test_report_has_one_owner_and_known_senders() -> None:
    """A report's subject names the service that receives it, and only other bus users send it."""
    assert [report.subject for report in REPORTS if not _goes_to_another(report, report.sent_by)] == []


def _goes_to_another(entry: Rpc[Any, Any] | Report[Any], senders: tuple[str, ...]) -> bool:
    """Reports whether at least one bus user other than the owner sends the message."""
    is_owned = bool(SUBJECT.match(entry.subject)) and entry.owner in SERVICES
    return is_owned and bool(senders) and set(senders) <= set(BUS_USERS) - {entry.owner}


def test_events_carry_ids_and_no_values() -> None:
    """An event has an id for idempotence and no field that must not be readable by every service."""
    assert [event.subject for event in EVENTS if not _carries_ids_alone(event)] == []


def _carries_ids_alone(event: Event[Any]) -> bool:
    fields = {field.name: field.type for field in msgspec.structs.fields(event.body)}
    # The events of several changes are themselves bodies of events.
    are_simple = set(fields.values()) <= {str, int, float, tuple[str, ...], tuple[Changed, ...]}
    return "event_id" in fields and are_simple and not any(LOOKS_SECRET.search(name) for name in fields)


def test_messages_are_frozen_and_documented() -> None:
    messages = {name: kind for name, kind in KINDS.items() if issubclass(kind, Message)}

    assert [name for name, kind in messages.items() if not kind.__struct_config__.frozen] == []
    assert [name for name, kind in messages.items() if kind.__struct_config__.forbid_unknown_fields] == []
    assert [name for name, kind in messages.items() if not kind.__doc__] == []


def test_a_secret_looking_field_has_the_secret_type() -> None:
    """A field whose name suggests a secret has the secret type, so that tools can find it (IN-09)."""
    assert [f"{name}.{field}" for name, kind in KINDS.items() for field in _plain_secrets(kind)] == []


def _plain_secrets(kind: type[msgspec.Struct]) -> list[str]:
    info = inspect.type_info(kind)
    assert isinstance(info, inspect.StructType)
    return [field.name for field in info.fields if LOOKS_SECRET.search(field.name) and _is_plain_text(field.type)]


def _is_plain_text(kind: inspect.Type) -> bool:
    if isinstance(kind, inspect.UnionType):
        return any(_is_plain_text(one) for one in kind.types)
    return isinstance(kind, inspect.StrType)


def test_repr_shows_no_field_values() -> None:
    """The repr of a message shows its type and no field value, because it may end up in a traceback (IN-09)."""
    kinds: list[type[msgspec.Struct]] = [apply.Password, apply.OidcApp, *KINDS.values()]

    assert [kind.__name__ for kind in kinds if kind.__repr__ is msgspec.Struct.__repr__] == []


@pytest.mark.parametrize("user", BUS_USERS)
def test_bus_permissions_match_the_catalogue(user: str) -> None:
    """A bus user may publish only its own requests and events, and subscribe only to what it answers (IN-05)."""
    allowed = permissions_of(user)
    own_publish = {subject for subject in allowed.publish if not subject.startswith("$")}
    own_subscribe = {subject for subject in allowed.subscribe if not subject.startswith("$")}
    asks = {subject for rpc in RPCS if user in rpc.called_by for subject in (rpc.subject, f"unready.{rpc.subject}")}
    says = {event.subject for event in EVENTS if event.published_by == user}
    answers = {rpc.subject for rpc in RPCS if rpc.owner == user}
    reports = {report.subject for report in REPORTS if user in report.sent_by}
    answers |= {f"unready.{user}.>"} if answers else set()
    receives = {report.subject for report in REPORTS if report.owner == user}
    hears = {"events.v1.>"} if user in SERVICES else set()

    assert own_publish == asks | says | reports
    assert own_subscribe == answers | receives | hears | {f"{inbox_prefix(user)}.>"}


@pytest.mark.parametrize("user", BUS_USERS)
def test_only_the_operator_may_manage_streams(user: str) -> None:
    """A consumer may create a missing stream, but no service can delete or change one (IN-05)."""
    verbs = {subject.split(".")[3] for subject in permissions_of(user).publish if subject.startswith("$JS.API.STREAM.")}

    allowed = {"operator": {"INFO", "CREATE", "UPDATE"}, "users": {"INFO", "CREATE"}}
    assert verbs == allowed.get(user, {"INFO"})
    assert not any(subject in (">", "$JS.>", "$JS.API.>", "$SYS.>") for subject in permissions_of(user).publish)


def test_login_ui_has_no_bus_user() -> None:
    """The login pages call authz over HTTP and have no bus user (IN-05)."""
    assert BUS_USERS == ("authz", "token", "keys", "users", "operator")
    assert all("login-ui" not in rpc.called_by for rpc in RPCS)


def test_inboxes_do_not_overlap() -> None:
    prefixes = [f"{inbox_prefix(user)}." for user in BUS_USERS]

    assert not any(one != other and one.startswith(other) for one in prefixes for other in prefixes)
