"""What the operations work with."""

from __future__ import annotations

from dataclasses import dataclass

from portico_oauth.opaque import RandomBytes
from portico_runtime.clock import Clock

from portico_users.accounts.search import UserSearch
from portico_users.accounts.store import MongoAccounts
from portico_users.credentials.hashing import HashingPool
from portico_users.domain.names import new_id
from portico_users.humans.mail_codes import MailCodes
from portico_users.journal.journal import Journal
from portico_users.orgs.store import MongoOrgs


@dataclass(frozen=True, slots=True)
class Needs:
    """Stores, and what changes them."""

    orgs: MongoOrgs
    accounts: MongoAccounts
    search: UserSearch
    journal: Journal
    pool: HashingPool
    mail_codes: MailCodes
    clock: Clock
    random: RandomBytes

    def new_id(self) -> str:
        """An id for an object that was given none."""
        return new_id(self.random)
