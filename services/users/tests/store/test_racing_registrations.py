"""Registrations of one address on two replicas at a time."""

from __future__ import annotations

import asyncio
from typing import Any, Final

import pytest
from portico_oauth.errors import Kind, ServiceError

pytestmark = pytest.mark.servers

_TRIES: Final = 5


@pytest.fixture(autouse=True)
async def empty_mailbag(users_world: Any) -> None:
    await users_world.parts.mongo.database["mails"].delete_many({})


async def test_two_registrations_create_one_account(users_world: Any, other_replica: Any) -> None:
    """Two right codes on two replicas concurrently create one account (MG-08)."""
    await users_world.home()

    await _assert_one_account_of_four(users_world, other_replica)


async def test_registrations_with_different_names_create_one(users_world: Any, other_replica: Any) -> None:
    """If the address is another user's name, each registration has another user name, and still one wins (MG-08)."""
    await users_world.home(humans=[users_world.human(username=users_world.mail())])

    await _assert_one_account_of_four(users_world, other_replica)


async def _assert_one_account_of_four(world: Any, other_replica: Any) -> None:
    mail = world.mail()
    challenges = [(await world.register(mail)).challenge for _ in range(4)]
    codes = _codes(await world.mails_to(mail))  # which of them belongs to which challenge only a guess shows
    guesses = [(challenge, code) for challenge in challenges for code in codes]
    made = await asyncio.gather(
        *(_verify(replica, *guess) for replica in (world, other_replica) for guess in guesses), return_exceptions=True
    )
    winners = {user.user_id for user in made if user is not None and not isinstance(user, BaseException)}

    assert {error.id for error in made if isinstance(error, ServiceError)} <= {"USER-011"}
    assert [error for error in made if isinstance(error, BaseException) and not isinstance(error, ServiceError)] == []
    assert len(winners) == 1
    assert len(await world.rows("users", verifiedMailKey=mail)) == 1


def _codes(mails: list[Any]) -> list[str]:
    return [mail.get_body(("plain",)).get_content().split("    ")[1].split()[0] for mail in mails]


async def _verify(world: Any, challenge: str, code: str) -> Any:
    """Repeats what the database was too busy for, as clients do: a loser of the race may use up its retries."""
    for _ in range(_TRIES - 1):
        try:
            return await world.verify(challenge, code)
        except ServiceError as error:
            if error.kind is not Kind.UNAVAILABLE:
                raise
    return await world.verify(challenge, code)
