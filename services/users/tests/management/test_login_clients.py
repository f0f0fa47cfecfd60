"""Who may perform sign-ins on own login pages, by the paths of ZITADEL's SDKs (decision 0107)."""

from __future__ import annotations

from typing import Any, Final

import pytest
from portico_contracts.login_sessions import CHECK_LOGIN, CheckLogin, FindLoginSessions, LoginChecked
from portico_contracts.zitadel.methods import ZITADEL_METHODS
from portico_fakes.login_authz import LoginAuthz
from portico_fakes.management_api import ApiResponse, call_as, read_connect
from portico_oauth.errors import Kind, ServiceError
from portico_runtime.diagnostics.recorder import DiagnosticsRecorder

from .intent_pages import Pages

pytestmark = pytest.mark.servers

SESSIONS: Final = "zitadel.session.v2.SessionService"
OIDC: Final = "zitadel.oidc.v2.OIDCService"
CALLS: Final[tuple[tuple[str, dict[str, Any]], ...]] = (
    (f"{SESSIONS}/CreateSession", {}),
    (f"{SESSIONS}/SetSession", {"sessionId": "s1"}),
    (f"{SESSIONS}/GetSession", {"sessionId": "s1"}),
    (f"{SESSIONS}/ListSessions", {"queries": [{"idsQuery": {"ids": ["s1"]}}]}),
    (f"{SESSIONS}/DeleteSession", {"sessionId": "s1"}),
    (f"{OIDC}/GetAuthRequest", {"authRequestId": "r1"}),
    (f"{OIDC}/CreateCallback", {"authRequestId": "r1", "session": {"sessionId": "s1", "sessionToken": "t"}}),
)


@pytest.fixture
def authz(managed: Any) -> LoginAuthz:
    return LoginAuthz(managed.users.bus)


async def call(managed: Any, path: str, members: Any, *, by: str, **headers: str) -> ApiResponse:
    sent = {"Authorization": f"Bearer {managed.tokens[by]}", **headers}
    return read_connect(await managed.api.http.post(f"/{path}", json=members, headers=sent))


@pytest.mark.parametrize(
    ("by", "code"),
    [
        ("pages", 0),
        ("iam", 0),
        ("owner", 7),
        ("viewer", 7),
        ("robot", 7),
        ("self", 7),
        ("foreign", 7),
        ("expired", 16),
    ],
)
async def test_calls_need_the_role_of_login_clients(
    managed: Any, pages: Pages, authz: LoginAuthz, by: str, code: int
) -> None:
    """Owners of organizations do not have it, and authz learns nothing of a refused call."""
    answers = [(await call(managed, path, members, by=by)).code for path, members in CALLS]

    assert answers == [code] * len(CALLS)
    assert len(authz.asked) == (0 if code else len(CALLS))


async def test_caller_is_the_login_client(managed: Any, pages: Pages, authz: LoginAuthz) -> None:
    """Sessions are found for it only."""
    created = await call(managed, *CALLS[0], by="others")
    found = await call(managed, *CALLS[2], by="pages")

    assert created.body["sessionToken"] == "t1"
    assert found.body["session"]["factors"]["user"]["loginName"] == "ada@acme.example"
    assert authz.asked == [
        CheckLogin(actor=f"others-{managed.tag}"),
        FindLoginSessions(actor=f"pages-{managed.tag}", session_ids=("s1",)),
    ]


async def test_refused_call_is_recorded(managed: Any, authz: LoginAuthz) -> None:
    """The diagnostics name the method and the permission, as for other operations."""
    refused = await call(managed, *CALLS[0], by="robot")
    await managed.users.service.find(DiagnosticsRecorder).settle()
    listed = await call_as(managed, "portico.admin.v1.TraceService.ListTraces", {}, by="iam")
    named = "zitadel.session.v2.SessionService.CreateSession"
    traces = [trace for trace in listed.body["result"] if trace.get("operation") == named]

    assert refused.error_code == "USER-312"
    assert "iam.login" in refused.body["message"]
    assert {"name": "permission", "wanted": ["iam.login"]} in [check for trace in traces for check in trace["checks"]]


async def test_authz_without_an_answer_is_unavailable(managed: Any, pages: Pages, authz: LoginAuthz) -> None:
    managed.users.bus.silent.add(CHECK_LOGIN.subject)
    answer = await call(managed, *CALLS[0], by="pages")

    assert (answer.code, answer.error_code) == (14, "PORT-004")


async def test_errors_of_authz_keep_id_and_kind(managed: Any, pages: Pages, authz: LoginAuthz) -> None:
    """The error of two simultaneous changes has a separate code in gRPC."""

    async def refuse(_: CheckLogin) -> LoginChecked:
        raise ServiceError(Kind.ABORTED, "AUTHZ-213", "Changed by another call.")

    managed.users.bus.respond(CHECK_LOGIN, refuse)
    answer = await call(managed, *CALLS[1], by="pages")

    assert (answer.code, answer.error_code) == (10, "AUTHZ-213")


async def test_version_is_not_expected(managed: Any, pages: Pages, authz: LoginAuthz) -> None:
    """A session token is what changes with each version."""
    answer = await call(managed, *CALLS[1], by="pages", **{"If-Match": '"7"'})

    assert answer.error_code == "USER-730"
    assert not authz.asked


async def test_methods_of_devices_are_not_offered(managed: Any, pages: Pages) -> None:
    """Only Portico's own page confirms a device."""
    others = [
        name for name in ZITADEL_METHODS if name.startswith(OIDC) and not name.endswith(("GetAuthRequest", "Callback"))
    ]
    answers = [
        (await call(managed, name.replace("Service.", "Service/"), {}, by="pages")).error_code for name in others
    ]

    assert len(others) == 2
    assert answers == ["USER-220"] * 2


@pytest.mark.parametrize(
    "name",
    [
        "portico.management.v1.PolicyService.CountAffectedUsers",
        "portico.management.v1.PolicyService.ListMetadataApps",
        "portico.admin.v1.PolicyService.CountAffectedUsers",
    ],
)
async def test_login_client_does_not_read_whom_rules_affect(managed: Any, pages: Pages, name: str) -> None:
    """A login client reads the rules themselves, which pages show."""
    service = name.rpartition(".")[0]
    asked = await call_as(managed, name, {}, by="pages")
    rules = await call_as(managed, f"{service}.GetLoginPolicy", {}, by="pages")

    assert (asked.code, asked.error_code) == (7, "USER-312")
    assert rules.code == 0
