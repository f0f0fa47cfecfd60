"""The link operations of authz's login API in memory."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from msgspec.structs import replace
from portico_contracts import login_calls as calls
from portico_contracts.login import GetStep, Step
from portico_contracts.login_calls import LoginCall
from portico_contracts.subjects import Reply, decode, encode
from portico_contracts.users import (
    CheckLink,
    EmailLinkVerified,
    Factor,
    GetLoginPolicy,
    LinkChecked,
    LinkUsed,
    LoginPolicy,
    PasskeyBegun,
    PasswordCodeRequested,
    PasswordRules,
    RecoveryBegun,
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
    """`step` is the present sign-in, if there is one."""

    asked: list[Any] = field(default_factory=list)
    requested_policies: list[str] = field(default_factory=list)
    error: ServiceError | None = None
    no_rules: ServiceError | None = None
    has_password: bool = True
    challenge: str = "c-1"
    waits: bool = False
    step: Step | None = None
    organization: str = ""
    start: str = ""
    set_cookie: str = ""
    continue_to: str = ""
    binding: str = ""
    factors: tuple[Factor, ...] = ()
    password_sign_in: bool = True
    may_reset: bool = True
    usable: bool = True
    unchecked: bool = False
    looked_at: list[CheckLink] = field(default_factory=list)

    @property
    def app(self) -> Starlette:
        return Starlette(
            routes=[
                Route(calls.LOOK_AT_LINK.path, render_errors(self._check, rpc_status), methods=["POST"]),
                self._route(calls.VERIFY_EMAIL, lambda: EmailLinkVerified(has_password=self.has_password)),
                self._route(calls.SET_PASSWORD, self._used),
                self._route(calls.SET_PASSWORD_WITH_CODE, lambda: LinkUsed(continue_to=self.continue_to)),
                self._route(calls.BEGIN_INVITED_PASSKEY, lambda: PasskeyBegun(passkey_id="p1", options="{}")),
                self._route(calls.FINISH_INVITED_PASSKEY, self._used),
                self._route(calls.SEND_PASSWORD, self._requested),
                self._route(calls.RECOVER, lambda: RecoveryBegun(challenge=self.challenge, waits=self.waits)),
                Route(calls.ASK_STEP.path, render_errors(self._step, rpc_status), methods=["POST"]),
                Route(calls.ASK_POLICY.path, render_errors(self._policy, rpc_status), methods=["POST"]),
            ]
        )

    async def _check(self, request: Request) -> Response:
        if self.unchecked:
            raise ServiceError(Kind.NOT_FOUND, "AUTHZ-404", "Not found.")
        self.looked_at.append(decode(await request.body(), CheckLink))
        return Response(encode(LinkChecked(usable=self.usable)), media_type="application/json")

    def _used(self) -> LinkUsed:
        return LinkUsed(start=self.start, set_cookie=self.set_cookie)

    def _requested(self) -> PasswordCodeRequested:
        return PasswordCodeRequested(challenge=self.challenge, binding=self.binding)

    async def _step(self, request: Request) -> Response:
        if self.step is None or decode(await request.body(), GetStep).browser != BROWSER:
            raise ServiceError(Kind.NOT_FOUND, "AUTHZ-030", "There is no such sign-in.")
        return Response(encode(self.step), media_type="application/json")

    async def _policy(self, request: Request) -> Response:
        self.requested_policies.append(decode(await request.body(), GetLoginPolicy).org_id)
        if self.no_rules:
            raise self.no_rules
        policy = LoginPolicy(password_rules=PasswordRules(min_length=12, number=True), organization=self.organization)
        policy = replace(policy, factors=self.factors, password_sign_in=self.password_sign_in, may_reset=self.may_reset)
        return Response(encode(policy), media_type="application/json")

    def _route(self, call: LoginCall[Any, Reply], reply: Callable[[], Reply]) -> Route:
        async def answer(request: Request) -> Response:
            assert request.headers["authorization"] == f"Bearer {KEY}"
            self.asked.append(decode(await request.body(), call.request))
            if self.error:
                raise self.error
            return Response(encode(reply()), media_type="application/json")

        return Route(call.path, render_errors(answer, rpc_status), methods=["POST"])
