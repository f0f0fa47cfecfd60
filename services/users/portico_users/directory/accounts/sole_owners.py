"""Registrations of one address meet: the second one finds the account that the first one made."""

from __future__ import annotations

from portico_oauth.opaque import fingerprint
from portico_runtime.mongo import Database, Session

from portico_users.directory.people.human import Human
from portico_users.directory.people.store import USERS
from portico_users.kernel.constraints import SENTINELS
from portico_users.kernel.entry import Work
from portico_users.kernel.names import email_key
from portico_users.kernel.problems import NAME_TAKEN
from portico_users.kernel.records import State


def sole_owner(database: Database, human: Human) -> Work:
    """What checks, in the transaction that creates a human, that no other account has verified the address.

    Two such transactions for one address cannot both succeed, whatever the names of the accounts are: both insert the same
    sentinel document, which the same transaction deletes. Raises USER-011, as for a name that is taken.
    """
    key = email_key(human.email)
    sentinel = {"_id": f"registered {fingerprint(key)}"}
    others = {"verifiedMailKey": key, "_id": {"$ne": human.id}, "state": {"$ne": State.DELETED.value}}

    async def check(session: Session) -> None:
        await database[SENTINELS].insert_one(dict(sentinel), session=session)
        await database[SENTINELS].delete_one(sentinel, session=session)
        if await database[USERS].find_one(others, {"_id": 1}, session=session):
            raise NAME_TAKEN.error(cause="address")

    return check
