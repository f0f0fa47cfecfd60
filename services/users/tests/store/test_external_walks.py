"""Random sequences of sign-ins through a provider: only the user who authenticated to an account, or for whom it
was created, gets into it (LG-14, IP-06).

The sequences mix first and later sign-ins, linking after authentication, unlinking, deactivating users and
the provider, changed addresses and deleted users. The test tracks ownership of accounts from the responses,
without asking the service. PORTICO_TEST_WALKS sets the number of sequences.
"""

from __future__ import annotations

import asyncio
import os
import secrets
from collections.abc import Coroutine
from typing import Any, Final, TypeVar

import hypothesis.strategies as st
import pytest
from hypothesis import HealthCheck, settings
from hypothesis.stateful import RuleBasedStateMachine, initialize, rule, run_state_machine_as_test
from portico_contracts.authz import END_SESSIONS, EndSessions, SessionsEnded
from portico_contracts.token import REVOKE_USER, Revoked, RevokeUser
from portico_contracts.users import ProviderRedirect, VerifiedIdentity
from portico_oauth.errors import ServiceError
from portico_users.accounts.edit_accounts import ChangeUserState, DeleteUser
from portico_users.accounts.states import DEACTIVATE, REACTIVATE
from portico_users.accounts.store import MongoAccounts
from portico_users.end_users.commands.change_end_user import ChangeEndUser, Contact, EndUserChange
from portico_users.end_users.usable_links import RemoveIdpLink

pytestmark = [pytest.mark.servers, pytest.mark.long]

WALKS: Final = int(os.environ.get("PORTICO_TEST_WALKS", "25"))
"""A drill runs 5,000; regular runs few."""

SUBJECTS: Final = ("s1", "s2", "s3")
PEOPLE: Final = ("ada", "bob")
OFFERS: Final = ("AUTO_LINKING_OPTION_UNSPECIFIED", "AUTO_LINKING_OPTION_EMAIL", "AUTO_LINKING_OPTION_USERNAME")
REFUSED: Final = {"USER-960", "USER-971", "USER-972", "USER-973", "USER-974", "USER-975", "USER-976", "USER-610"}
"""Expected errors; any other is a failure."""

Result = TypeVar("Result")


class ExternalWalk(RuleBasedStateMachine):
    external: Any
    loop: asyncio.AbstractEventLoop

    def __init__(self) -> None:
        super().__init__()
        self.walk = secrets.token_hex(4)
        self.owners: dict[str, str] = {}
        self.verified: dict[str, VerifiedIdentity] = {}
        self.users: dict[str, str] = {}
        self.inactive: set[str] = set()
        self.deleted: set[str] = set()
        self.options: dict[str, Any] = {}
        self.active = True

    def run(self, work: Coroutine[Any, Any, Result]) -> Result:
        return asyncio.run_coroutine_threadsafe(work, self.loop).result(60)

    @initialize(auto=st.booleans(), offer=st.sampled_from(OFFERS), linking=st.sampled_from([True, True, False]))
    def set_up(self, auto: bool, offer: str, linking: bool) -> None:
        self.options = {"auto": auto, "autoLinking": offer, "isLinkingAllowed": linking}
        self.run(self.external.set_up(**self.options))
        for name in PEOPLE:
            self.users[name] = self.run(self._register(self.mail(name)))

    async def _register(self, mail: str) -> str:
        world = self.external.world
        sent = await world.register(mail)
        user = await world.verify(sent.challenge, await world.newest_code(mail))
        return str(user.user_id)

    def mail(self, name: str) -> str:
        return f"{name}-{self.walk}@mail.example"

    def subject(self, name: str) -> str:
        return f"{name}-{self.walk}"

    @rule(
        subject=st.sampled_from(SUBJECTS),
        like=st.sampled_from([*PEOPLE, "new"]),
        verified=st.sampled_from([True, True, False]),
        then=st.sampled_from(["nothing", "prove", "complete"]),
        name=st.sampled_from(PEOPLE),
    )
    def sign_in(self, subject: str, like: str, verified: bool, then: str, name: str) -> None:
        done = self.answer(self._finish(subject, like, verified))
        if done is None:
            return
        self.verified[subject] = done.identity
        if done.onward is ProviderRedirect.SIGNED_IN:
            if done.user.user_id not in {*self.users.values(), *self.owners.values()}:  # made for it now
                assert subject not in self.owners
                self.owners[subject] = done.user.user_id
            self.check(subject, done.user.user_id)
            return
        assert subject not in self.owners
        self.go_on(subject, then, name)

    @rule(subject=st.sampled_from(SUBJECTS), then=st.sampled_from(["prove", "complete"]), name=st.sampled_from(PEOPLE))
    def go_on(self, subject: str, then: str, name: str) -> None:
        if identity := self.verified.get(subject):
            if then == "prove":
                self.prove_and_link(subject, identity, name)
            if then == "complete":
                self.complete(subject, identity)

    async def _finish(self, subject: str, like: str, verified: bool) -> Any:
        jwt = self.external.jwt(
            sub=self.subject(subject),
            jti=secrets.token_hex(8),
            email=self.mail(like),
            email_verified=verified,
            preferred_username=self.mail(like) if like in PEOPLE else f"{subject}-{like}-{self.walk}",
        )
        return await self.external.finish(jwt)

    def prove_and_link(self, subject: str, identity: VerifiedIdentity, name: str) -> None:
        if self.answer(self._password(name)) is None:
            return
        user = self.answer(self.external.link(identity, self.users[name]))
        if user is None:
            return
        assert user.user_id == self.users[name]
        assert self.owners.get(subject, user.user_id) == user.user_id
        self.owners[subject] = user.user_id
        self.check(subject, user.user_id)

    async def _password(self, name: str) -> Any:
        world = self.external.world
        return (await world.try_password(self.mail(name), world.password)).user

    def complete(self, subject: str, identity: VerifiedIdentity) -> None:
        name = f"made-{secrets.token_hex(4)}"
        user = self.answer(self.external.create(identity, user_name=name, email=self.mail(name)))
        if user is not None:
            assert self.owners.get(subject, user.user_id) == user.user_id
            self.owners[subject] = user.user_id
            self.check(subject, user.user_id)

    @rule(subject=st.sampled_from(SUBJECTS))
    def unlink(self, subject: str) -> None:
        user_id = self.owners.get(subject)
        if user_id is None or user_id in self.deleted:
            return
        try:
            self.run(self._unlink(user_id, self.subject(subject)))
        except ServiceError as error:
            if error.id != "USER-982":
                raise
            return
        del self.owners[subject]

    async def _unlink(self, user_id: str, subject: str) -> None:
        human = await self._human(user_id)
        await self.part(RemoveIdpLink)(human, self.external.idp_id, subject, actor=user_id)

    @rule(
        what=st.sampled_from(["provider", "state", "state", "address", "deletion"]),
        subject=st.sampled_from(SUBJECTS),
        name=st.sampled_from(PEOPLE),
    )
    def change_something(self, what: str, subject: str, name: str) -> None:
        user_id = self.owners.get(subject, self.users[name])
        if what == "provider":
            self.active = not self.active
            self.run(self.external.set_up(**self.options, active=self.active))
        elif user_id in self.deleted:
            return
        elif what == "state":
            self.run(self._change_state(user_id, REACTIVATE if user_id in self.inactive else DEACTIVATE))
            self.inactive ^= {user_id}
        elif what == "address":
            self.run(self._change_address(user_id))
        else:
            self.run(self._delete(user_id))
            self.deleted.add(user_id)
            self.owners = {subject: owner for subject, owner in self.owners.items() if owner != user_id}

    async def _change_state(self, user_id: str, transition: Any) -> None:
        await self.part(ChangeUserState)(await self._human(user_id), transition, actor="admin")

    async def _change_address(self, user_id: str) -> None:
        change = EndUserChange(email=Contact(self.mail(f"other-{secrets.token_hex(4)}"), vouched=True))
        await self.part(ChangeEndUser)(await self._human(user_id), change, actor="admin")

    async def _delete(self, user_id: str) -> None:
        await self.part(DeleteUser)(await self._human(user_id), actor="admin")

    def part(self, kind: type[Result]) -> Any:
        return self.external.world.service.find(kind)

    async def _human(self, user_id: str) -> Any:
        found = await self.part(MongoAccounts).find_whole(user_id)
        return found[0]

    def answer(self, work: Coroutine[Any, Any, Result]) -> Result | None:
        try:
            return self.run(work)
        except ServiceError as error:
            # A taken name is an error of the form, which is shown again; after wrong passwords the owner has to wait.
            if error.id not in REFUSED | {"USER-011", "USER-033"}:
                raise
            return None

    def check(self, subject: str, user_id: str) -> None:
        assert self.owners.get(subject) == user_id
        assert self.active
        assert user_id not in self.inactive | self.deleted


async def test_identity_never_enters_another_account(external: Any) -> None:
    """Whatever happens in between, an identity signs in the account that its owner linked or created, or none
    (LG-14, IP-06).
    """
    external.world.bus.respond(END_SESSIONS, _end)
    external.world.bus.respond(REVOKE_USER, _revoke)
    walk = type("Walk", (ExternalWalk,), {"external": external, "loop": asyncio.get_running_loop()})
    rules = settings(max_examples=WALKS, stateful_step_count=60, suppress_health_check=list(HealthCheck))
    await asyncio.to_thread(run_state_machine_as_test, walk, settings=rules)


async def _end(_ask: EndSessions) -> SessionsEnded:
    return SessionsEnded(sessions=0)


async def _revoke(_ask: RevokeUser) -> Revoked:
    return Revoked(grants=0)
