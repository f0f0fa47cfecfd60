"""Diagnostics of requests (decision 0055): ids, words from closed lists, and URLs without query."""

from __future__ import annotations

from enum import StrEnum
from typing import Final

from portico_contracts.subjects import Message, Report, Rpc

LARGEST_TRACE: Final = 2_048
"""Maximum bytes of one encoded diagnostics record."""

TRACE_SECONDS: Final = 86_400

WORKLOAD_TOKEN: Final = "workload_token"
"""Check of the claims of a refused token of a trusted workload: `wanted` has their names, and a few shortened values."""

CROSSING_FACTS: Final = frozenset({"outcome", "seconds_late", "dpop_nonce"})
"""Internal error data that crosses the bus, so that the service that answers the request can record or send it."""


class DiagnosticOutcome(StrEnum):
    REFUSED = "refused"
    ISSUED = "issued"


class DiagnosedEndpoint(StrEnum):
    AUTHORIZATION = "authorization"
    PUSHED_AUTHORIZATION = "pushed_authorization"
    LOGIN = "login"
    END_SESSION = "end_session"
    TOKEN = "token"
    DEVICE_AUTHORIZATION = "device_authorization"
    INTROSPECTION = "introspection"
    REVOCATION = "revocation"
    USERINFO = "userinfo"
    MANAGEMENT = "management"


class Hint(StrEnum):
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
    SECRET_EXPIRED = "secret_expired"
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
    CONDITION = "condition"
    NO_CERTIFICATE = "no_certificate"
    UNKNOWN_ISSUER = "unknown_issuer"
    WRONG_USE = "wrong_use"
    WRONG_SUBJECT = "wrong_subject"
    OTHER_KEY = "other_key"
    NO_PROOF = "no_proof"
    DPOP_OFF = "dpop_off"


class DiagnosticCheck(Message, frozen=True, omit_defaults=True):
    """One check; `given` is shortened, from an allow-list of each check, and empty where it must not be shown."""

    name: str
    passed: bool
    given: str = ""
    wanted: tuple[str, ...] = ()
    hint: str = ""


class Diagnostic(Message, frozen=True, omit_defaults=True):
    """Diagnostics of one request; `at` is in unix seconds, `checks` end with the one that refused the request."""

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
    checks: tuple[DiagnosticCheck, ...] = ()


class RecordDiagnostics(Message, frozen=True):
    """Diagnostics of one replica, to be stored for a day."""

    traces: tuple[Diagnostic, ...]


class FindDiagnostic(Message, frozen=True):
    """Requests the diagnostics of a request."""

    request_id: str


class ExplainedCheck(Message, frozen=True):
    """A check with the sentence of its hint."""

    check: DiagnosticCheck
    hint: str = ""


class DiagnosticFound(Message, frozen=True):
    """Diagnostics with English sentences; None where there are none or they expired."""

    trace: Diagnostic | None = None
    text: str = ""
    fix: str = ""
    checks: tuple[ExplainedCheck, ...] = ()


RECORD_TRACES = Report("users.v1.trace.record", RecordDiagnostics, ("authz", "token"))
FIND_TRACE = Rpc("users.v1.trace.find", FindDiagnostic, DiagnosticFound, ("operator",))
