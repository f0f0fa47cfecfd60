from __future__ import annotations

import pytest
from portico_contracts.context import REQUEST_ID
from portico_contracts.diagnostics import (
    LARGEST_TRACE,
    DiagnosedEndpoint,
    Diagnostic,
    DiagnosticCheck,
    Hint,
    RecordDiagnostics,
)
from portico_contracts.subjects import encode
from portico_contracts.users import AuthMethod, Client, ClientKind
from portico_fakes.clock import FrozenClock
from portico_oauth.errors import UNAVAILABLE, ErrorCode, Kind
from portico_runtime.diagnostics.limits import MinuteLimit, OwnedLimit, PerMinute
from portico_runtime.diagnostics.recorder import MOST_WAITING, DiagnosticsRecorder, DiagnosticSubject, fit
from portico_runtime.diagnostics.shown import shown_client_id, shown_uri, shown_words
from portico_runtime.diagnostics.uri_hints import find_nearest

REFUSED = ErrorCode("TEST-201", Kind.INVALID_REQUEST, "A test refuses this.")
WEB = Client(
    client_id="web",
    kind=ClientKind.OIDC,
    name="Web",
    app_id="app-1",
    project_id="p-1",
    org_id="org-1",
    auth_method=AuthMethod.NONE,
    audience=(),
)
ROBOT = Client(
    client_id="robot-1",
    kind=ClientKind.OIDC,
    name="Robot",
    app_id="",
    project_id="",
    org_id="org-2",
    auth_method=AuthMethod.CLIENT_SECRET_BASIC,
    audience=(),
)

URIS = [
    ("https://app.example/cb", "https://app.example/cb"),
    ("https://app.example/cb?token=canary&x=1", "https://app.example/cb?\u2026"),
    ("https://app.example/cb#token=canary", "https://app.example/cb"),
    ("https://ada:canary@app.example:8443/cb", "https://app.example:8443/cb"),
    ("https://app.example/of/ada@canary.example/cb", "https://app.example/of/\u2026/cb"),
    ("https://app.example/" + "c" * 41, "https://app.example/\u2026"),
    ("HTTPS://App.Example/cb", "https://App.Example/cb"),
    ("com.example.app:/cb", "com.example.app:/cb"),
    ("mailto:ada@canary.example", "(25 characters)"),
    ("javascript:canary", "(17 characters)"),
    ("canary", "(6 characters)"),
    ("", "(0 characters)"),
    ("https://[canary", "(15 characters)"),
    ("https://app.example:canary/", "(27 characters)"),
]

DIFFERENCES = [
    ("https://app.example/cb/", "https://app.example/cb", Hint.TRAILING_SLASH),
    ("https://app.example/cb", "https://app.example/cb/", Hint.TRAILING_SLASH),
    ("http://app.example/cb", "https://app.example/cb", Hint.SCHEME),
    ("https://www.app.example/cb", "https://app.example/cb", Hint.HOST),
    ("https://app.example:8443/cb", "https://app.example/cb", Hint.PORT),
    ("https://app.example:443/cb", "https://app.example/cb", Hint.PORT),
    ("https://app.example/CB", "https://app.example/cb", Hint.CASE),
    ("https://APP.example/cb", "https://app.example/cb", Hint.CASE),
    ("https://app.example/callback", "https://app.example/cb", Hint.PATH),
    ("https://app.example/cb?x=1", "https://app.example/cb", Hint.QUERY),
    ("https://app.example/cb#x", "https://app.example/cb", Hint.FRAGMENT),
    ("https://ada@app.example/cb", "https://app.example/cb", Hint.USER_INFORMATION),
    ("https://app.example:no/cb", "https://app.example/cb", Hint.MALFORMED),
]


class Sent:
    """Accepts diagnostics, or fails."""

    def __init__(self) -> None:
        self.traces: list[Diagnostic] = []
        self.away = False

    async def __call__(self, message: RecordDiagnostics) -> None:
        if self.away:
            raise UNAVAILABLE.error()
        self.traces += message.traces


@pytest.fixture
def sent() -> Sent:
    return Sent()


@pytest.fixture
def recorder(sent: Sent, clock: FrozenClock) -> DiagnosticsRecorder:
    return DiagnosticsRecorder(sent, clock)


async def _web() -> DiagnosticSubject:
    return DiagnosticSubject(DiagnosedEndpoint.TOKEN, WEB, checks=(DiagnosticCheck(name="form", passed=True),))


@pytest.mark.parametrize(("uri", "shown"), URIS)
def test_address_is_shown_without_secrets(uri: str, shown: str) -> None:
    """User information, query, fragment and unusual path segments are removed (IN-09)."""
    assert shown_uri(uri) == shown


@pytest.mark.parametrize("host", ["\x1bc.example", "\x9b2J.example", "a\u202eb.example"])
def test_shown_host_has_no_control_characters(host: str) -> None:
    """`portico explain` prints it on a terminal of an operator, and the sender of a request chooses it."""
    assert shown_uri(f"https://{host}/cb").isprintable()


@pytest.mark.parametrize(("given", "registered", "hint"), DIFFERENCES)
def test_hint_names_the_difference_to_the_registered_uri(given: str, registered: str, hint: Hint) -> None:
    assert find_nearest(given, [registered]) == (registered, hint)


def test_most_similar_registered_uri_is_compared() -> None:
    registered = ["https://other.example/cb", "https://app.example/cb", "https://app.example/else"]

    assert find_nearest("https://app.example/cb/", registered) == ("https://app.example/cb", Hint.TRAILING_SLASH)
    assert find_nearest("https://app.example/cb", []) == ("", Hint.NOTHING_REGISTERED)


def test_only_known_words_are_shown() -> None:
    """Unknown words are counted and not repeated."""
    assert shown_words("openid canary email secret", ("openid", "email")) == "openid email (and 2 other)"


@pytest.mark.parametrize(
    ("client_id", "shown"),
    [
        ("316112345678901234", "316112\u2026 (18 characters)"),
        ("ada@canary.example", "(18 characters)"),
        ("web", "(3 characters)"),
        ("", "(0 characters)"),
    ],
)
def test_unknown_client_id_is_shortened(client_id: str, shown: str) -> None:
    """An unknown client id may be a secret in the wrong place."""
    assert shown_client_id(client_id) == shown


def test_records_per_minute_are_limited_by_client_and_in_total(clock: FrozenClock) -> None:
    limit = MinuteLimit(clock, PerMinute(of_client=2, in_all=3))
    admitted = [limit.admits(client) for client in ("a", "a", "a", "b", "c")]
    clock.tick(60)

    assert admitted == [True, True, False, True, False]
    assert limit.admits("a")


def test_limit_of_owned_things_counts_for_both_or_neither(clock: FrozenClock) -> None:
    """What is refused for one thing leaves the room of its owner, and the other way round."""
    limit = OwnedLimit(clock, PerMinute(of_client=1, in_all=9), of_owner=2)
    asked = (("a", "o1"), ("a", "o1"), ("a", "o1"), ("b", "o1"), ("c", "o1"), ("c", "o2"))
    admitted = [limit.admits(*one) for one in asked]

    assert admitted == [True, False, False, True, False, True]
    assert limit.has_room("d", "o2")
    assert not limit.has_room("d", "o1")


async def test_error_is_recorded_once_with_its_request_id(
    recorder: DiagnosticsRecorder, sent: Sent, clock: FrozenClock
) -> None:
    """An error that passes two boundaries is recorded once, for its application."""
    token = REQUEST_ID.set("request-1")
    error = REFUSED.error()
    recorder.refused(error, "web", _web)
    recorder.refused(error, "web", _web)
    REQUEST_ID.reset(token)
    await recorder.settle()

    [trace] = sent.traces
    assert (trace.request_id, trace.at) == ("request-1", clock.now())
    assert (trace.error_id, trace.error, trace.outcome) == ("TEST-201", "invalid_request", "refused")
    assert (trace.client_id, trace.client_known) == ("web", True)
    assert (trace.org_id, trace.project_id, trace.app_id, trace.user_id) == ("org-1", "p-1", "app-1", "")


async def test_service_user_has_its_own_diagnostics(recorder: DiagnosticsRecorder, sent: Sent) -> None:
    """The diagnostics of a service user are readable by those who may read that user."""
    recorder.issued(ROBOT, DiagnosedEndpoint.TOKEN)
    await recorder.settle()

    [trace] = sent.traces
    assert (trace.app_id, trace.org_id, trace.user_id, trace.user_org_id) == ("", "", "robot-1", "org-2")
    assert trace.outcome == "issued"


async def test_unavailability_is_not_recorded(recorder: DiagnosticsRecorder, sent: Sent) -> None:
    recorder.refused(UNAVAILABLE.error(), "web", _web)
    await recorder.settle()

    assert sent.traces == []


async def test_flood_is_limited(recorder: DiagnosticsRecorder, sent: Sent) -> None:
    """Per client, 60 records and 5 successes a minute are stored."""
    for _ in range(1_000):
        recorder.refused(REFUSED.error(), "web", _web)
        recorder.issued(WEB, DiagnosedEndpoint.TOKEN)
    await recorder.settle()

    assert [trace.outcome for trace in sent.traces].count("refused") == 60
    assert [trace.outcome for trace in sent.traces].count("issued") == 5


async def test_queue_is_bounded(recorder: DiagnosticsRecorder, sent: Sent) -> None:
    """Without a sender task, the oldest records are dropped."""
    for number in range(MOST_WAITING + 10):
        recorder.refused(REFUSED.error(), f"client-{number}", _web)
    await recorder.settle()

    assert len(sent.traces) == MOST_WAITING


async def test_unsendable_diagnostics_are_dropped(recorder: DiagnosticsRecorder, sent: Sent) -> None:
    """Neither an unavailable bus nor a failing description stops the sender."""

    async def fail() -> DiagnosticSubject:
        raise UNAVAILABLE.error()

    sent.away = True
    recorder.refused(REFUSED.error(), "web", _web)
    await recorder.settle()
    sent.away = False
    recorder.refused(REFUSED.error(), "web", fail)
    recorder.refused(REFUSED.error(), "web", _web)
    await recorder.settle()

    assert len(sent.traces) == 1


def test_record_size_is_limited() -> None:
    """The passed checks are shortened first, then the failed one."""
    large = DiagnosticCheck(name="x" * 30, passed=True, given="g" * 160, wanted=("w" * 160,) * 4)
    refused = DiagnosticCheck(name="y" * 30, passed=False, given="g" * 160, wanted=("w" * 160,) * 4, hint="h" * 20)
    trace = Diagnostic(
        request_id="r" * 64,
        at=1.5,
        endpoint="authorization",
        outcome="refused",
        client_id="c" * 200,
        org_id="o" * 60,
        checks=(*(large,) * 15, refused),
    )

    assert len(encode(trace)) > LARGEST_TRACE
    assert len(encode(fit(trace))) <= LARGEST_TRACE
    assert [check.name for check in fit(trace).checks] == [check.name for check in trace.checks]
