"""The walk over every message between services."""

from __future__ import annotations

import re
from typing import Any

import msgspec
import pytest
from msgspec import inspect
from portico_contracts import apply
from portico_contracts.catalogue import BUS_USERS, EVENTS, REPORTS, RPCS, SERVICES, inbox_prefix, permissions_of
from portico_contracts.subjects import Event, Message, Report, Rpc
from portico_fakes.samples import message_kinds

SUBJECT = re.compile(r"(authz|token|keys|users)\.v[1-9]\.[a-z_]+\.[a-z_]+\Z")
EVENT_SUBJECT = re.compile(r"events\.v[1-9]\.[a-z_]+\.[a-z_]+\Z")
LOOKS_SECRET = re.compile(r"password|secret|verifier|private|assertion|csrf|cookie|browser|(^|_)token\Z|^(code|otp)\Z")
KINDS = message_kinds()


def test_a_subject_is_used_once() -> None:
    """One subject belongs to one message and has one meaning."""
    subjects = [entry.subject for entries in (RPCS, EVENTS, REPORTS) for entry in entries]

    assert len(set(subjects)) == len(subjects)


@pytest.mark.parametrize("rpc", RPCS, ids=lambda rpc: rpc.subject)
def test_a_request_has_one_owner_and_known_callers(rpc: Rpc[Any, Any]) -> None:
    """The subject names the service that answers; only bus users send requests, and none to itself."""
    assert SUBJECT.match(rpc.subject)
    assert rpc.owner in SERVICES
    assert rpc.called_by
    assert set(rpc.called_by) <= set(BUS_USERS) - {rpc.owner}


@pytest.mark.parametrize("event", EVENTS, ids=lambda event: event.subject)
def test_an_event_has_one_speaker(event: Event[Any]) -> None:
    """Only one service publishes it, so that its subscribers may trust the subject (IN-08)."""
    assert EVENT_SUBJECT.match(event.subject)
    assert event.published_by in SERVICES


@pytest.mark.parametrize("report", REPORTS, ids=lambda report: report.subject)
def test_a_report_has_one_owner_and_known_senders(report: Report[Any]) -> None:
    """The subject names the service that receives it; only bus users send reports, and none to itself."""
    assert SUBJECT.match(report.subject)
    assert report.owner in SERVICES
    assert report.sent_by
    assert set(report.sent_by) <= set(BUS_USERS) - {report.owner}


@pytest.mark.parametrize("event", EVENTS, ids=lambda event: event.subject)
def test_events_carry_ids_and_never_values(event: Event[Any]) -> None:
    """An event has an id to be idempotent by, and nothing that should not be read by all."""
    fields = {field.name: field.type for field in msgspec.structs.fields(event.body)}

    assert "event_id" in fields
    assert set(fields.values()) <= {str, int, float, tuple[str, ...]}
    assert not any(LOOKS_SECRET.search(name) for name in fields)


@pytest.mark.parametrize("name", [name for name, kind in KINDS.items() if issubclass(kind, Message)])
def test_messages_are_frozen_and_named(name: str) -> None:
    """A message is a value: it does not change, and its docstring states what it is."""
    config = KINDS[name].__struct_config__

    assert config.frozen
    assert not config.forbid_unknown_fields
    assert KINDS[name].__doc__


@pytest.mark.parametrize("name", KINDS)
def test_a_secret_looking_field_has_the_secret_type(name: str) -> None:
    """Text that looks like a secret by its name is marked as one, so that tools can find it (IN-09)."""
    info = inspect.type_info(KINDS[name])
    assert isinstance(info, inspect.StructType)
    plain = [field.name for field in info.fields if LOOKS_SECRET.search(field.name) and _is_plain_text(field.type)]

    assert plain == []


def _is_plain_text(kind: inspect.Type) -> bool:
    if isinstance(kind, inspect.UnionType):
        return any(_is_plain_text(one) for one in kind.types)
    return isinstance(kind, inspect.StrType)


@pytest.mark.parametrize("kind", [apply.Password, apply.OidcApp, *KINDS.values()], ids=lambda kind: kind.__name__)
def test_no_repr_shows_a_value(kind: type[msgspec.Struct]) -> None:
    """A message in a traceback names itself and nothing it holds (IN-09)."""
    assert kind.__repr__ is not msgspec.Struct.__repr__


@pytest.mark.parametrize("user", BUS_USERS)
def test_a_bus_user_may_say_exactly_what_is_its_own(user: str) -> None:
    """It publishes its requests and events, and subscribes to what it answers; all else is the bus's own (IN-05)."""
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
    """Who consumes the stream may create it where it is missing; no service can delete or change it (IN-05)."""
    verbs = {subject.split(".")[3] for subject in permissions_of(user).publish if subject.startswith("$JS.API.STREAM.")}

    allowed = {"operator": {"INFO", "CREATE", "UPDATE"}, "users": {"INFO", "CREATE"}}
    assert verbs == allowed.get(user, {"INFO"})
    assert not any(subject in (">", "$JS.>", "$JS.API.>", "$SYS.>") for subject in permissions_of(user).publish)


def test_the_login_pages_have_no_rights_on_the_bus() -> None:
    """They request everything from authz over HTTP, so no bus user is theirs (IN-05)."""
    assert BUS_USERS == ("authz", "token", "keys", "users", "operator")
    assert all("login-ui" not in rpc.called_by for rpc in RPCS)


def test_inboxes_do_not_overlap() -> None:
    """No user's inbox pattern covers another's replies."""
    prefixes = [f"{inbox_prefix(user)}." for user in BUS_USERS]

    assert not any(one != other and one.startswith(other) for one in prefixes for other in prefixes)
