from __future__ import annotations

import json
import secrets
from collections.abc import AsyncIterator
from typing import Any

import pytest
from portico_contracts.users import (
    BEGIN_ASSERTION,
    FINISH_ASSERTION,
    GET_USER,
    AssertionFinished,
    BeginAssertion,
    Factor,
    FinishAssertion,
    GetUser,
)
from portico_fakes.soft_authenticator import UP, UV, SoftAuthenticator
from portico_users.accounts.store import MongoAccounts
from portico_users.credentials.webauthn.ceremonies import Use
from portico_users.credentials.webauthn.edit_passkeys import (
    CredentialRequest,
    NewCredential,
    RegisterCredential,
    VerifyCredential,
)
from portico_users.end_users.end_user import EndUser

from .external_sign_in import ExternalSignIn
from .metadata_host import Host

ORIGIN = "http://localhost:8080"


class SignIn:
    def __init__(self, world: Any) -> None:
        self.world = world
        self.user_id = f"ada-{world.tag}"

    def find(self, command: type[Any]) -> Any:
        return self.world.service.find(command)

    async def set_up(self) -> None:
        people = [
            self.world.human(id=f"{name}-{self.world.tag}", username=f"{name}-{self.world.tag}", email=self._mail(name))
            for name in ("ada", "bob")
        ]
        await self.world.apply(self.world.organization(projects=[], humans=people))

    def _mail(self, name: str) -> dict[str, Any]:
        return {"email": self.world.mail(name), "isVerified": True}

    async def human(self, user_id: str = "") -> EndUser:
        found = await MongoAccounts(self.world.parts.mongo.database).find(user_id or self.user_id)
        assert isinstance(found, EndUser)
        return found

    async def register(self, *, passkey: bool = False, user_id: str = "", flags: int = 0) -> SoftAuthenticator:
        human = await self.human(user_id)
        key = SoftAuthenticator(secrets.token_bytes, ORIGIN, flags=flags | (UP | UV if passkey else UP))
        requested = CredentialRequest(Use.PASSKEY if passkey else Use.U2F, human.id)
        begun = await self.find(RegisterCredential)(human, human.user_name, requested)
        new = NewCredential(begun.id, key.create(begun.options), "k")
        await self.find(VerifyCredential)(human, requested.use, new, actor=human.id)
        return key

    async def begin(self, *, user_id: str | None = None, passkey: bool = False) -> tuple[str, dict[str, Any]]:
        asked = self.user_id if user_id is None else user_id
        begun = await self.world.call(BEGIN_ASSERTION, BeginAssertion(user_id=asked, passkey=passkey))
        return begun.assertion, json.loads(begun.options)

    async def finish(self, assertion: str, answer: Any, *, user_id: str | None = None) -> AssertionFinished:
        asked = self.user_id if user_id is None else user_id
        text = answer if isinstance(answer, str) else json.dumps(answer)
        ask = FinishAssertion(assertion=assertion, credential=text, user_id=asked)
        done: AssertionFinished = await self.world.call(FINISH_ASSERTION, ask)
        return done

    async def factors(self) -> tuple[Factor, ...]:
        user = (await self.world.call(GET_USER, GetUser(user_id=self.user_id))).user
        return tuple(user.factors)


@pytest.fixture
def external(users_world: Any) -> ExternalSignIn:
    return ExternalSignIn(users_world)


@pytest.fixture
async def sign_in(users_world: Any, copy: Any) -> SignIn:
    made = SignIn(users_world)
    await copy("sign-in", users_world.tag, made.set_up)
    return made


@pytest.fixture
async def fresh_instance(users_world: Any) -> AsyncIterator[None]:
    """Resets the shared instance settings before and after each test."""
    database = users_world.parts.mongo.database
    for _ in range(2):
        for collection, question in (
            ("instances", {}),
            ("ids", {"_id": "instance"}),
            ("events", {"object": "instance"}),
            ("outbox", {"object": "instance"}),
        ):
            await database[collection].delete_many(question)
        if not _:
            yield


@pytest.fixture
async def host(users_world: Any) -> Host:
    host = Host(users_world)
    host.serve(host.document())
    await host.allow()
    return host
