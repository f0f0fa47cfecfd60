"""Operations of the pages of emailed links and of the first run."""

from __future__ import annotations

from typing import Any

import httpx
import pytest
from portico_contracts import http
from portico_contracts.subjects import Message, encode
from portico_contracts.users import (
    BEGIN_PASSKEY_BY_INVITATION,
    BEGIN_PASSKEY_BY_LINK,
    BEGIN_RECOVERY,
    FINISH_PASSKEY_BY_LINK,
    GET_LOGIN_POLICY,
    VERIFY_EMAIL_LINK,
    BeginPasskeyByInvitation,
    BeginPasskeyByLink,
    BeginRecovery,
    EmailLinkVerified,
    Factor,
    FinishPasskeyByLink,
    GetLoginPolicy,
    LoginPolicy,
    PasskeyBegun,
    PasskeyRegistered,
    PasswordRules,
    RecoveryBegun,
    VerifyEmailLink,
)
from portico_contracts.users.first_run import (
    BEGIN_FIRST_RUN,
    GET_FIRST_RUN,
    BeginFirstRun,
    FirstOwner,
    FirstRun,
    FirstRunBegun,
    GetFirstRun,
)
from portico_fakes.authz_service import LOGIN_KEY, AuthzService
from portico_fakes.clock import FrozenClock
from portico_fakes.memory_bus import MemoryBus
from portico_oauth.errors import Kind, ServiceError

WRONG = ServiceError(Kind.INVALID_REQUEST, "USER-402", "The code is wrong or no longer valid.")
KIM = FirstOwner(email="kim@mail.example", first_name="Kim", last_name="Kind")
LINKS = (
    (
        "verify-mail",
        VERIFY_EMAIL_LINK,
        VerifyEmailLink(user_id="kim", code="K7Q2ZX"),
        EmailLinkVerified(has_password=True),
    ),
    (
        "begin-recovery",
        BEGIN_RECOVERY,
        BeginRecovery(code="K7Q2ZX", languages=("de",)),
        RecoveryBegun(challenge="c-1"),
    ),
    (
        "begin-passkey",
        BEGIN_PASSKEY_BY_LINK,
        BeginPasskeyByLink(user_id="kim", code_id="c1", code="K7Q2ZXK7Q2ZX"),
        PasskeyBegun(passkey_id="p1", options='{"publicKey":{}}'),
    ),
    (
        "finish-passkey",
        FINISH_PASSKEY_BY_LINK,
        FinishPasskeyByLink(user_id="kim", code_id="c1", code="K7Q2ZXK7Q2ZX", passkey_id="p1", credential="{}"),
        PasskeyRegistered(),
    ),
    (
        "begin-invited-passkey",
        BEGIN_PASSKEY_BY_INVITATION,
        BeginPasskeyByInvitation(user_id="kim", code="K7Q2ZX"),
        PasskeyBegun(passkey_id="p1", options='{"publicKey":{}}'),
    ),
    (
        "get-first-run",
        GET_FIRST_RUN,
        GetFirstRun(code="K7Q2ZXK7Q2ZX"),
        FirstRun(factors=(Factor.TOTP,), needs_organization=True),
    ),
    (
        "begin-first-run",
        BEGIN_FIRST_RUN,
        BeginFirstRun(code="K7Q2ZXK7Q2ZX", owner=KIM, factor=Factor.TOTP),
        FirstRunBegun(attempt="a1", uri="otpauth://totp/kim", secret="ABCD"),
    ),
    (
        "policy",
        GET_LOGIN_POLICY,
        GetLoginPolicy(org_id="acme"),
        LoginPolicy(password_rules=PasswordRules(min_length=12, symbol=True)),
    ),
)


@pytest.fixture
def authz(clock: FrozenClock, bus: MemoryBus) -> AuthzService:
    return AuthzService(clock, bus)


async def ask(authz: AuthzService, name: str, content: bytes, key: str = LOGIN_KEY) -> httpx.Response:
    async with httpx.AsyncClient(transport=httpx.ASGITransport(authz.app), base_url="http://authz") as client:
        headers = {"Authorization": f"Bearer {key}", "Content-Type": "application/json"}
        return await client.post(f"{http.LINK_API}/{name}", content=content, headers=headers)


@pytest.mark.parametrize(
    ("name", "rpc", "asked", "reply"), LINKS, ids=lambda value: value if isinstance(value, str) else ""
)
async def test_requests_and_responses_are_forwarded(
    authz: AuthzService, name: str, rpc: Any, asked: Message, reply: Message
) -> None:
    """Requests, responses and errors are forwarded unchanged between the pages and users."""
    received: list[Message] = []

    async def answer(message: Message) -> Message:
        received.append(message)
        if len(received) > 1:
            raise WRONG
        return reply

    authz.bus.respond(rpc, answer)
    first, second = [await ask(authz, name, encode(asked)) for _ in range(2)]

    assert (first.status_code, first.content) == (200, encode(reply))
    assert first.headers["cache-control"] == "no-store"
    assert received == [asked, asked]
    assert (second.status_code, second.json()["details"][0]["id"]) == (400, "USER-402")


@pytest.mark.parametrize("name", [link[0] for link in LINKS])
async def test_only_the_login_pages_may_call(authz: AuthzService, name: str) -> None:
    assert (await ask(authz, name, b"{", key="another")).status_code == 401
    assert (await ask(authz, name, b"{")).status_code == 400
