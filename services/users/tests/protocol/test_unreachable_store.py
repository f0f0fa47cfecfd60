from __future__ import annotations

import asyncio
import secrets
from collections.abc import AsyncIterator
from email.message import EmailMessage as MimeMessage
from typing import Any, Final

import httpx
import pytest
from portico_contracts.apply import Document, Organization
from portico_contracts.subjects import Rpc
from portico_contracts.users import (
    APPLY,
    CHANGE_PASSWORD,
    CHECK_ORIGIN,
    CHECK_PROJECT_ACCESS,
    FIND_ORGANIZATION,
    FIND_USER,
    GET_AUDIENCES,
    GET_CLAIMS,
    GET_CLIENT,
    GET_LOGIN_POLICY,
    GET_ROLES,
    GET_SERVICE_USER,
    GET_USER,
    REGISTER,
    SEND_EMAIL_CODE,
    VERIFY_EMAIL,
    VERIFY_PASSWORD,
    Apply,
    ChangePassword,
    CheckOrigin,
    CheckProjectAccess,
    FindOrganization,
    FindUser,
    GetAudiences,
    GetClaims,
    GetClient,
    GetLoginPolicy,
    GetRoles,
    GetServiceUser,
    GetUser,
    Register,
    SendEmailCode,
    VerifyEmail,
    VerifyPassword,
)
from portico_fakes.clock import FrozenClock
from portico_fakes.memory_bus import MemoryBus
from portico_fakes.memory_versions import MemoryVersions
from portico_harness.asgi_life import alive
from portico_oauth.errors import Kind, ServiceError
from portico_runtime.mongo.client import MongoClient
from portico_runtime.settings.sections.mongo import MongoSection
from portico_users.app import create_app
from portico_users.assembly.externals import Externals
from portico_users.settings import Settings
from pymongo import common
from structlog.testing import capture_logs

NOBODY_LISTENS = "mongodb://127.0.0.1:1"
SECONDS: Final = 0.02
"""After which the driver gives up looking for a server."""


class NoServer:
    async def send(self, message: MimeMessage) -> None:
        raise AssertionError(f"nothing can be sent, and this was: {message['Subject']}")


@pytest.fixture
async def parts(bus: MemoryBus, clock: FrozenClock, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Externals]:
    # The driver compares the timeout with the time only after each of these intervals.
    monkeypatch.setattr(common, "MIN_HEARTBEAT_INTERVAL", SECONDS)
    mongo = MongoClient(MongoSection(mongo_url=NOBODY_LISTENS, mongo_timeout=SECONDS), "users")
    with capture_logs():  # every failed look of the background work would be rendered with its traceback
        yield Externals(
            mongo=mongo,
            bus=bus,
            clock=clock,
            random=secrets.token_bytes,
            versions=MemoryVersions(clock),
            transport=NoServer(),
        )
    await mongo.close()


QUESTIONS: Final[tuple[tuple[Rpc[Any, Any], Any], ...]] = (
    (GET_CLIENT, GetClient(client_id="c")),
    (GET_USER, GetUser(user_id="u")),
    (FIND_USER, FindUser(login_name="a", org_id="")),
    (GET_CLAIMS, GetClaims(user_id="u")),
    (GET_SERVICE_USER, GetServiceUser(client_id="c")),
    (GET_AUDIENCES, GetAudiences(project_ids=("p",))),
    (GET_ROLES, GetRoles(user_id="u", project_ids=("p",))),
    (CHECK_PROJECT_ACCESS, CheckProjectAccess(user_id="u", project_id="p")),
    (CHECK_ORIGIN, CheckOrigin(origin="https://shop.example")),
    (VERIFY_PASSWORD, VerifyPassword(login_name="a", password="b", org_id="")),
    (CHANGE_PASSWORD, ChangePassword(user_id="u", current_password="a", new_password="b")),
    (GET_LOGIN_POLICY, GetLoginPolicy()),
    (FIND_ORGANIZATION, FindOrganization(domain="acme.example")),
    (REGISTER, Register(email="eve@mail.example", first_name="E", last_name="V", password="b", sender="")),
    (SEND_EMAIL_CODE, SendEmailCode(user_id="u")),
    (SEND_EMAIL_CODE, SendEmailCode(challenge="c")),
    (VERIFY_EMAIL, VerifyEmail(challenge="c", code="K7PQ2M")),
    (APPLY, Apply(document=Document(organizations=(Organization(name="Acme"),)))),
)


async def test_requests_are_unavailable_without_the_database(
    parts: Externals, bus: MemoryBus, cheap_hashing: Settings
) -> None:
    """Every request gets 503 with a retry-after (FD-01)."""
    app, _ = create_app(cheap_hashing, externals=parts)
    async with alive(app):
        refusals = await asyncio.gather(*(refusal(bus, rpc, message) for rpc, message in QUESTIONS))

    answers = zip(QUESTIONS, refusals, strict=True)
    assert [(asked, refused) for asked, refused in answers if refused != (Kind.UNAVAILABLE, 1)] == []


async def refusal(bus: MemoryBus, rpc: Rpc[Any, Any], message: Any) -> tuple[Kind, int | None]:
    with pytest.raises(ServiceError) as refused:
        await bus.call(rpc, message)
    return refused.value.kind, refused.value.retry_after


async def test_readiness_reports_the_missing_database(parts: Externals, cheap_hashing: Settings) -> None:
    """The service starts without its database, and is not ready (FD-17)."""
    app, health = create_app(cheap_hashing, externals=parts)
    async with alive(app):
        state = await health.state()

    assert state["bus"] == "ok"
    assert state["mongo"] != "ok"
    assert state["indexes"] != "ok"


@pytest.mark.parametrize("path", ["/v2/users/human/x/y/z", "/management/v1/x", "/admin/v1/x"])
async def test_unknown_path_is_a_management_error(parts: Externals, cheap_hashing: Settings, path: str) -> None:
    """Unknown paths of the management API return google.rpc.Status with a request id."""
    app, _ = create_app(cheap_hashing, externals=parts)
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://users") as client:
        answer = await client.post(path)

    assert answer.status_code == 404
    assert answer.json()["code"] == 5
    assert answer.json()["message"].endswith("(PORT-002)")
    assert answer.headers["X-Request-Id"]
