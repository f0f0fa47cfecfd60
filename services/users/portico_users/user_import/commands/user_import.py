"""Users of a row that exist already: with the same data, or with other."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Sequence
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
from portico_users.end_users.new_end_user import NewEndUser, PlannedEndUser
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


@dataclass(slots=True)
class _Turn:
    """A row on its way to its outcome."""

    row: Row = field(default_factory=Row)
    outcome: RowOutcome | None = None

    @property
    def new(self) -> NewEndUser | None:
        return self.row.new if self.row.org is not None else None

    def fail(self, error: ServiceError) -> None:
        problem = RowProblem(field="", id=error.id, text=error.text)
        retry = error.kind is Kind.UNAVAILABLE
        self.outcome = msgspec.structs.replace(self.row.outcome("refused"), problems=(problem,), retry=retry)


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
        orgs = OrgsOfRows(self.orgs)
        turns = await asyncio.gather(*(self._read(text, message.org_id, orgs, importing) for text in message.rows))
        left = [one for one in turns if one.outcome is None]
        while left:
            left = await self._advance(left, importing)
        for org_id, count in importing.created.items():
            await self._log_import(importing, org_id, count)
        return UsersImported(rows=tuple(one.outcome for one in turns if one.outcome))

    async def _log_import(self, importing: Importing, org_id: str, count: int) -> None:
        """The users exist already, so an error is only logged: their events are found without the row of the import."""
        event_id = import_event_id(importing.import_id, org_id, importing.actor)
        try:
            await self.log.add(event_id, org_id, importing.actor, count)
        except ServiceError as error:
            log.warning("import not counted", users=count, error_code=error.id)

    async def _read(self, text: str, org_id: str, orgs: OrgsOfRows, importing: Importing) -> _Turn:
        turn = _Turn()
        try:
            turn.row = await read_row(self.create_human, orgs, text, org_id, importing.only_org)
            await self._join(turn.row, importing)
        except ServiceError as error:
            turn.fail(error)
        return turn

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

    async def _advance(self, turns: Sequence[_Turn], importing: Importing) -> list[_Turn]:
        """Finds and creates users together; returns the rows of users whom an earlier row of these may have created."""
        try:
            await self._find_existing(turns)
        except ServiceError as error:
            for one in turns:
                one.fail(error)
            return []
        first: list[_Turn] = []
        later: list[_Turn] = []
        seen: set[str] = set()
        for one in turns:
            if one.outcome is None and (refused := _outcome_before(one.row, check=importing.check)):
                one.outcome = refused
            if one.outcome is not None or one.new is None:
                continue
            keys = _keys_of(one.new)
            (first if seen.isdisjoint(keys) else later).append(one)
            seen |= keys
        await self._create(first, importing)
        return later

    async def _find_existing(self, turns: Sequence[_Turn]) -> None:
        news = [one.new for one in turns if one.new]
        ids, names = {new.id for new in news if new.id}, {new.user_name or new.email for new in news}
        by_id, by_name = await self.accounts.find_each_by_id_or_name(ids, names)
        for one in turns:
            new = one.new
            if new and (stored := by_id.get(new.id or "") or by_name.get(canonical(new.user_name or new.email))):
                one.outcome = _outcome_of_existing(one.row, new, stored)

    async def _create(self, turns: Sequence[_Turn], importing: Importing) -> None:
        planned = [(one, _of_import(one.row.planned, importing)) for one in turns if one.row.planned]
        together = [(one, plan) for one, plan in planned if not plan.password]
        alone = [(one, plan) for one, plan in planned if plan.password]
        entries = [plan.entry for _, plan in together]
        created = await self.create_human.commit.create_each(entries, actor=importing.actor) if entries else []
        hashed = await asyncio.gather(*(self._create_hashed(plan, importing) for _, plan in alone))
        for (one, _), outcome in zip((*together, *alone), (*created, *hashed), strict=True):
            if isinstance(outcome, ServiceError):
                await self._refuse(one, outcome)
            else:
                one.outcome = one.row.outcome("created", outcome.id)
                if importing.import_id:
                    importing.created[outcome.org_id] += 1

    async def _create_hashed(self, planned: PlannedEndUser, importing: Importing) -> EndUser | ServiceError:
        try:
            async with importing.hashing:
                return (await self.create_human.commit_planned(planned, actor=importing.actor)).human
        except ServiceError as error:
            return error

    async def _refuse(self, turn: _Turn, error: ServiceError) -> None:
        try:
            # A concurrent run may have created the same row's user.
            if error.kind is Kind.ALREADY_EXISTS:
                await self.accounts.await_settled()
                await self._find_existing((turn,))
            if turn.outcome is None:
                turn.row.refuse(error)
                turn.outcome = turn.row.outcome("refused")
        except ServiceError as problem:
            turn.fail(problem)


def _keys_of(new: NewEndUser) -> set[str]:
    """By which two rows may mean one user; an id may be the name of another user, which only costs time."""
    return {canonical(new.user_name or new.email), *((new.id,) if new.id else ())}


def _of_import(planned: PlannedEndUser, importing: Importing) -> PlannedEndUser:
    if not importing.import_id:
        return planned
    event_id = import_event_id(importing.import_id, planned.entry.after.org_id, importing.actor)
    return replace(planned, entry=replace(planned.entry, import_event=event_id))


def _outcome_before(row: Row, *, check: bool) -> RowOutcome | None:
    """The outcome of a row of a new user that is not written."""
    if row.problems or row.new is None or row.planned is None:
        return row.outcome("refused")
    return row.outcome("created", row.new.id or "") if check else None


def _outcome_of_existing(row: Row, new: NewEndUser, stored: AnyUser) -> RowOutcome:
    org_id = row.org.id if row.org else ""
    human, given_id = new.as_end_user(new.id or "", org_id), bool(new.id)
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
