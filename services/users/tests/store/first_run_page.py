from __future__ import annotations

import base64
import json
import secrets
from typing import Any

import msgspec
from portico_contracts.users import FIND_USER, Factor, FindUser
from portico_contracts.users.first_run import (
    BEGIN_FIRST_RUN,
    FINISH_FIRST_RUN,
    GET_FIRST_RUN,
    BeginFirstRun,
    FinishFirstRun,
    FirstOwner,
    FirstRun,
    FirstRunBegun,
    FirstRunFinished,
    GetFirstRun,
)
from portico_fakes.soft_authenticator import UP, UV, SoftAuthenticator
from portico_users.credentials.totp.time_codes import code_at

ORIGIN = "http://localhost:8080"
PASSWORD = "nine small sparrows"


class FirstRunPage:
    def __init__(self, world: Any, code: str, name: str = "eve") -> None:
        self.world = world
        self.code = code
        self.owner = FirstOwner(email=world.mail(name), first_name="Eve", last_name="First")
        self.begun = FirstRunBegun(attempt="")

    async def get(self) -> FirstRun:
        found: FirstRun = await self.world.call(GET_FIRST_RUN, GetFirstRun(code=self.code))
        return found

    async def begin(self, factor: Factor = Factor.TOTP, **owner: str) -> FirstRunPage:
        self.owner = msgspec.structs.replace(self.owner, **owner)
        ask = BeginFirstRun(code=self.code, owner=self.owner, factor=factor, attempt=self.begun.attempt)
        self.begun = await self.world.call(BEGIN_FIRST_RUN, ask)
        return self

    def otp(self) -> str:
        return code_at(base64.b32decode(self.begun.secret), self.world.clock.now())

    def with_app(self, **members: str) -> FinishFirstRun:
        values = {"password": PASSWORD, "otp": self.otp(), **members}
        return FinishFirstRun(
            code=self.code, owner=self.owner, factor=Factor.TOTP, attempt=self.begun.attempt, **values
        )

    def with_passkey(self) -> FinishFirstRun:
        key = SoftAuthenticator(secrets.token_bytes, ORIGIN, flags=UP | UV)
        credential = json.dumps(key.create(json.loads(self.begun.options)))
        values = {"registration": self.begun.registration, "credential": credential}
        return FinishFirstRun(
            code=self.code, owner=self.owner, factor=Factor.PASSKEY, attempt=self.begun.attempt, **values
        )

    async def finish(self, ask: FinishFirstRun | None = None) -> FirstRunFinished:
        finished: FirstRunFinished = await self.world.call(FINISH_FIRST_RUN, ask or self.with_app())
        return finished

    async def user(self) -> Any:
        return (await self.world.call(FIND_USER, FindUser(login_name=self.owner.email, org_id=""))).user
