"""Traces: why a request was refused, check by check, and that requests of an application succeed (decision 0055).

A trace has ids, words of closed lists, and addresses without their query: no secret, no token, nothing a person typed.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Final

from portico_contracts.subjects import Message, Report, Rpc

LARGEST_TRACE: Final = 2_048
"""Bytes of one trace, encoded."""

TRACE_SECONDS: Final = 86_400
"""How long a trace can be read."""

CROSSING_FACTS: Final = frozenset({"outcome", "seconds_late"})
"""Private facts of an error that cross the bus, so that the service that answers the request can trace them."""


class TraceOutcome(StrEnum):
    """How the request ended."""

    REFUSED = "refused"
    ISSUED = "issued"


class TracedEndpoint(StrEnum):
    """The endpoint that was called."""

    AUTHORIZATION = "authorization"
    LOGIN = "login"
    END_SESSION = "end_session"
    TOKEN = "token"
    INTROSPECTION = "introspection"
    REVOCATION = "revocation"
    USERINFO = "userinfo"
    MANAGEMENT = "management"


class Hint(StrEnum):
    """What differs, where the comparison of a check shows it; each has a sentence in users."""

    NOTHING_REGISTERED = "nothing_registered"
    SCHEME = "scheme"
    HOST = "host"
    PORT = "port"
    TRAILING_SLASH = "trailing_slash"
    CASE = "case"
    PATH = "path"
    QUERY = "query"
    FRAGMENT = "fragment"
    USER_INFORMATION = "user_information"
    MISSING = "missing"
    MALFORMED = "malformed"
    REPEATED = "repeated"
    OTHER_METHOD = "other_method"
    WRONG_SECRET = "wrong_secret"
    NO_SECRET = "no_secret"
    NO_KEY = "no_key"
    KEY_EXPIRED = "key_expired"
    WRONG_SIGNATURE = "wrong_signature"
    EXPIRED = "expired"
    NOT_YET_VALID = "not_yet_valid"
    TOO_OLD = "too_old"
    TOO_LONG = "too_long"
    USED_BEFORE = "used_before"
    OTHER_CLIENT = "other_client"
    UNKNOWN = "unknown"
    NOT_ALLOWED = "not_allowed"


class TraceCheck(Message, frozen=True, omit_defaults=True):
    """One check of a request.

    Attributes:
        name: from a closed list of the service.
        passed: false for the one that refused.
        given: what the request had, shortened, from an allow-list of each check; empty where nothing may be shown.
        wanted: what would have passed.
        hint: what differs (`Hint`); empty where nothing more is known.
    """

    name: str
    passed: bool
    given: str = ""
    wanted: tuple[str, ...] = ()
    hint: str = ""


class Trace(Message, frozen=True, omit_defaults=True):
    """One request that was refused, or that was answered with a code or tokens.

    Attributes:
        at: unix seconds.
        endpoint: a `TracedEndpoint`.
        operation: of the management API; empty elsewhere.
        outcome: a `TraceOutcome`.
        error_id: of the error code; empty without one.
        error: the OAuth error; empty without one.
        client_id: as registered; of an unknown client shortened.
        client_known: the client is registered and active.
        org_id, project_id, app_id: of the application; empty where none is known.
        user_id, user_org_id: of the person or service user it is about; empty where none is known.
        checks: in their order, up to the one that refused.
    """

    request_id: str
    at: float
    endpoint: str
    outcome: str
    operation: str = ""
    error_id: str = ""
    error: str = ""
    client_id: str = ""
    client_known: bool = False
    org_id: str = ""
    project_id: str = ""
    app_id: str = ""
    user_id: str = ""
    user_org_id: str = ""
    checks: tuple[TraceCheck, ...] = ()


class RecordTraces(Message, frozen=True):
    """Traces of one replica, to be stored for a day."""

    traces: tuple[Trace, ...]


class FindTrace(Message, frozen=True):
    """The operator requests the trace of a request."""

    request_id: str


class ExplainedCheck(Message, frozen=True):
    """A check, with the sentence of its hint."""

    check: TraceCheck
    hint: str = ""


class TraceFound(Message, frozen=True):
    """The trace with its sentences, in English; nothing where there is none, or none any more.

    Attributes:
        text: what was wrong.
        fix: what to change.
    """

    trace: Trace | None = None
    text: str = ""
    fix: str = ""
    checks: tuple[ExplainedCheck, ...] = ()


RECORD_TRACES = Report("users.v1.trace.record", RecordTraces, ("authz", "token"))
FIND_TRACE = Rpc("users.v1.trace.find", FindTrace, TraceFound, ("operator",))
