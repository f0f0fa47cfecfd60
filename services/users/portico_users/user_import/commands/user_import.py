"""Users of a row that exist already: with the same data, or with other."""

from __future__ import annotations

import asyncio
from collections import Counter
from contextlib import nullcontext
from dataclasses import dataclass, field, replace
from typing import Final

import msgspec
import structlog
from portico_contracts.users import ImportUsers, RowOutcome, RowProblem, UsersImported
from portico_oauth.errors import ErrorCode, Kind, ServiceError

from portico_users.accounts.account import AnyUser
from portico_users.accounts.edit_accounts import UserOrgs
from portico_users.accounts.store import MongoAccounts
from portico_users.end_users.create_end_user import CreateEndUser
from portico_users.end_users.end_user import EndUser
from portico_users.end_users.new_end_user import NewEndUser
from portico_users.groups.edit_groups import PutIntoGroups
from portico_users.journal.import_log import ImportLog, import_event_id
from portico_users.user_import.orgs_of_rows import OrgsOfRows
from portico_users.user_import.row import Row, read_row
from portico_users.values.names import canonical
from portico_users.values.records import SYSTEM, State, values_of

log = structlog.get_logger("portico.import")

OTHER_DATA = ErrorCode(
    "USER-840",
    Kind.ALREADY_EXISTS,
    "A user with this id or user name already exists with other data.",
    "Compare the two. An import never changes existing users.",
)

NO_GROUPS = ErrorCode(
    "USER-111",
    Kind.PERMISSION_DENIED,
    "You may not add users to groups: user.grant.write is required.",
    "Remove groups, or ask an owner of the organization for a role with this permission.",
)

_OF_ROWS: Final = (
    "orgId",
    "userName",
    "firstName",
    "lastName",
    "displayName",
    "email",
    "nickName",
    "preferredLanguage",
    "gender",
    "phone",
    "middleName",
    "profileUrl",
    "website",
    "picture",
    "birthdate",
    "zoneinfo",
    "address",
    "metadata",
    "idpLinks",
)
"""The values of a row. The others change when the account is used, such as credentials, groups and consents."""


async def find_existing(accounts: MongoAccounts, new: NewEndUser) -> AnyUser | None:
    found = await accounts.find(new.id) if new.id else None
    return found or await accounts.find_by_name(new.user_name or new.email)


def differences(human: EndUser, stored: AnyUser, *, given_id: bool) -> tuple[str, ...]:
    if not isinstance(stored, EndUser):
        return ("type",)
    wanted, there = _compared(human), _compared(stored)
    other = tuple(name for name in _OF_ROWS if wanted.get(name) != there.get(name))
    return ("userId", *other) if given_id and stored.id != human.id else other


def _compared(human: EndUser) -> dict[str, object]:
    # A sign-in changes the other members of a link.
    links = {link.key for link in human.idp_links}
    return {**values_of(human), "userName": canonical(human.user_name), "idpLinks": links}


AT_ONCE: Final = 100
"""Rows processed concurrently, a whole message of the command: they share reads and a transaction."""

HASHED_AT_ONCE: Final = 4
"""Rows whose passwords are hashed concurrently; sign-ins compete for the same hashing capacity."""


@dataclass(frozen=True, slots=True)
class Importing:
    """`only_org` is the only organization that rows may name; empty for all. `may_join`: rows may name groups.

    `created` counts the users of an import with an id, by organization.
    """

    actor: str
    check: bool
    only_org: str = ""
    may_join: bool = True
    import_id: str = ""
    created: Counter[str] = field(default_factory=Counter)
    hashing: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(HASHED_AT_ONCE))


@dataclass(frozen=True, slots=True)
class UserImport:
    create_human: CreateEndUser
    orgs: UserOrgs
    accounts: MongoAccounts
    put_into: PutIntoGroups
    log: ImportLog

    async def import_users(self, message: ImportUsers) -> UsersImported:
        return await self._import_all(message, Importing(SYSTEM, check=message.check, import_id=message.import_id))

    async def import_own(self, message: ImportUsers, actor: str, *, may_join: bool) -> UsersImported:
        """Imports rows of a caller who may create users in the organization of the message only."""
        importing = Importing(
            actor, check=message.check, only_org=message.org_id, may_join=may_join, import_id=message.import_id
        )
        return await self._import_all(message, importing)

    async def _import_all(self, message: ImportUsers, importing: Importing) -> UsersImported:
        turns = asyncio.Semaphore(AT_ONCE)
        orgs = OrgsOfRows(self.orgs)

        async def one(text: str) -> RowOutcome:
            async with turns:
                return await self._import(text, message.org_id, orgs, importing)

        outcomes = tuple(await asyncio.gather(*(one(text) for text in message.rows)))
        for org_id, count in importing.created.items():
            await self._log_import(importing, org_id, count)
        return UsersImported(rows=outcomes)

    async def _log_import(self, importing: Importing, org_id: str, count: int) -> None:
        """The users exist already, so an error is only logged: their events are found without the row of the import."""
        event_id = import_event_id(importing.import_id, org_id, importing.actor)
        try:
            await self.log.add(event_id, org_id, importing.actor, count)
        except ServiceError as error:
            log.warning("import not counted", users=count, error_code=error.id)

    async def _import(self, text: str, org_id: str, orgs: OrgsOfRows, importing: Importing) -> RowOutcome:
        row = Row()
        try:
            row = await read_row(self.create_human, orgs, text, org_id, importing.only_org)
            await self._join(row, importing)
            return await self._existing(row) or await self._create(row, importing)
        except ServiceError as error:
            retry = error.kind is Kind.UNAVAILABLE
            problem = RowProblem(field="", id=error.id, text=error.text)
            return msgspec.structs.replace(row.outcome("refused"), problems=(problem,), retry=retry)

    async def _join(self, row: Row, importing: Importing) -> None:
        planned = row.planned
        if not row.groups or planned is None:
            return
        if not importing.may_join:
            row.refuse(NO_GROUPS.error(), "groups")
            return
        try:
            after = await self.put_into.plan_named(planned.entry.after, row.groups)
        except ServiceError as error:
            row.refuse(error)
        else:
            row.planned = replace(planned, entry=replace(planned.entry, after=after))

    async def _create(self, row: Row, importing: Importing) -> RowOutcome:
        if row.problems or row.new is None or row.planned is None:
            return row.outcome("refused")
        if importing.check:
            return row.outcome("created", row.new.id or "")
        planned, org_id = row.planned, row.planned.entry.after.org_id
        if importing.import_id:
            event_id = import_event_id(importing.import_id, org_id, importing.actor)
            planned = replace(planned, entry=replace(planned.entry, import_event=event_id))
        try:
            async with importing.hashing if planned.password else nullcontext():
                created = await self.create_human.commit_planned(planned, actor=importing.actor)
        except ServiceError as error:
            # A concurrent run may have created the same row's user.
            if error.kind is Kind.ALREADY_EXISTS:
                await self.accounts.await_settled()
                if found := await self._existing(row):
                    return found
            row.refuse(error)
            return row.outcome("refused")
        if importing.import_id:
            importing.created[org_id] += 1
        return row.outcome("created", created.human.id)

    async def _existing(self, row: Row) -> RowOutcome | None:
        new, org = row.new, row.org
        if new is None or org is None:
            return None
        stored = await find_existing(self.accounts, new)
        if stored is None:
            return None
        human, given_id = new.as_end_user(new.id or "", org.id), bool(new.id)
        if stored.org_id != human.org_id:  # nothing about users of other organizations
            other: tuple[str, ...] = ("organization",)
        elif stored.state is State.DELETED:
            other = ("state",)
        else:
            other = differences(human, stored, given_id=given_id)
        if other:
            names = f" ({', '.join(other)})"
            problem = RowProblem(field="", id=OTHER_DATA.id, text=f"{OTHER_DATA.text[:-1]}{names}.")
            row.problems.append(problem)
            return row.outcome("refused")
        row.problems.clear()
        return row.outcome("exists", stored.id)
