"""The answers of authz to the pages of emailed links, in memory. For tests of login pages."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from portico_contracts.http import LINK_API, LOGIN_API
from portico_contracts.login import GetStep, Step
from portico_contracts.subjects import Message, decode, encode
from portico_contracts.users import (
    BeginRecovery,
    EmailLinkVerified,
    GetLoginPolicy,
    LoginPolicy,
    PasswordLinkSent,
    PasswordRules,
    PasswordSet,
    RecoveryBegun,
    SendPasswordLink,
    SetPasswordByCode,
    SetPasswordByLink,
    VerifyEmailLink,
)
from portico_oauth.errors import Kind, ServiceError
from portico_web.surfaces import render_errors, rpc_status
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from portico_fakes.fake_login_api import BROWSER, KEY


@dataclass(slots=True)
class FakeLinkApi:
    """The link operations of authz, with the answers of users; `step` is the sign-in under way, if there is one."""

    asked: list[Any] = field(default_factory=list)
    requested_policies: list[str] = field(default_factory=list)
    error: ServiceError | None = None
    no_rules: ServiceError | None = None
    has_password: bool = True
    challenge: str = "c-1"
    waits: bool = False
    step: Step | None = None

    @property
    def app(self) -> Starlette:
        """The API as an ASGI app."""
        return Starlette(
            routes=[
                self._route("verify-mail", VerifyEmailLink),
                self._route("set-password", SetPasswordByLink),
                self._route("set-password-by-code", SetPasswordByCode),
                self._route("send-password", SendPasswordLink),
                self._route("begin-recovery", BeginRecovery),
                Route(f"{LOGIN_API}/{{id}}/step", render_errors(self._step, rpc_status), methods=["POST"]),
                Route(f"{LINK_API}/policy", render_errors(self._policy, rpc_status), methods=["POST"]),
            ]
        )

    async def _step(self, request: Request) -> Response:
        if self.step is None or decode(await request.body(), GetStep).browser != BROWSER:
            raise ServiceError(Kind.NOT_FOUND, "AUTHZ-030", "There is no such sign-in.")
        return Response(encode(self.step), media_type="application/json")

    async def _policy(self, request: Request) -> Response:
        self.requested_policies.append(decode(await request.body(), GetLoginPolicy).org_id)
        if self.no_rules:
            raise self.no_rules
        policy = LoginPolicy(password_rules=PasswordRules(min_length=12, number=True))
        return Response(encode(policy), media_type="application/json")

    def _route(self, name: str, kind: type[Message]) -> Route:
        async def answer(request: Request) -> Response:
            assert request.headers["authorization"] == f"Bearer {KEY}"
            self.asked.append(decode(await request.body(), kind))
            if self.error:
                raise self.error
            replies: dict[str, Message] = {
                "verify-mail": EmailLinkVerified(has_password=self.has_password),
                "set-password": PasswordSet(),
                "set-password-by-code": PasswordSet(),
                "send-password": PasswordLinkSent(challenge=self.challenge),
                "begin-recovery": RecoveryBegun(challenge=self.challenge, waits=self.waits),
            }
            return Response(encode(replies[name]), media_type="application/json")

        return Route(f"{LINK_API}/{name}", render_errors(answer, rpc_status), methods=["POST"])
