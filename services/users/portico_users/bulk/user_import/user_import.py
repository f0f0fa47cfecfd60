"""Answers `IMPORT_USERS`: looks at rows, and creates who is not there yet."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import Final

import msgspec
from portico_contracts.users import ImportUsers, RowOutcome, RowProblem, UsersImported
from portico_oauth.errors import Kind, ServiceError

from portico_users.api.transport.needs import Needs
from portico_users.api.user_v2.users.add_human_user import create_human
from portico_users.api.user_v2.users.idp_links import links_of
from portico_users.bulk.user_import.existing import OTHER_DATA, differences, find_existing
from portico_users.bulk.user_import.row import Row, read_row
from portico_users.kernel.records import State

AT_ONCE: Final = 4
"""Rows of one message that are worked on together: people who sign in meanwhile have their turn."""


@dataclass(frozen=True, slots=True)
class UserImport:
    """Creates humans row by row; a bad row does not stop the others."""

    needs: Needs

    async def import_users(self, message: ImportUsers) -> UsersImported:
        """What became of each row."""
        turns = asyncio.Semaphore(AT_ONCE)

        async def one(text: str) -> RowOutcome:
            async with turns:
                return await self._import(text, message)

        return UsersImported(rows=tuple(await asyncio.gather(*(one(text) for text in message.rows))))

    async def _import(self, text: str, message: ImportUsers) -> RowOutcome:
        row = Row()
        try:
            row = await read_row(self.needs, text, message.org_id)
            return await self._existing(row) or await self._create(row, check=message.check)
        except ServiceError as error:
            retry = error.kind is Kind.UNAVAILABLE
            problem = RowProblem(field="", id=error.id, text=error.text)
            return msgspec.structs.replace(row.outcome("refused"), problems=(problem,), retry=retry)

    async def _create(self, row: Row, *, check: bool) -> RowOutcome:
        if row.call is None:
            return row.outcome("refused")
        if check:
            return row.outcome("created", row.request.user_id)
        try:
            created = await create_human(row.call, row.request, row.mail, row.phone)
        except ServiceError as error:
            # Another run may have been faster with the same row.
            if error.kind is Kind.ALREADY_EXISTS and (found := await self._existing(row)):
                return found
            row.refuse(error)
            return row.outcome("refused")
        return row.outcome("created", created.user_id)

    async def _existing(self, row: Row) -> RowOutcome | None:
        """What is said of somebody who is there; None for somebody new, and for a row nobody can be read from."""
        if row.human is None:
            return None
        given_id = row.request.HasField("user_id")
        stored = await find_existing(self.needs.accounts, row.human, given_id=given_id)
        if stored is None:
            return None
        wanted = msgspec.structs.replace(row.human, idp_links=links_of(row.request.idp_links))
        other = ("state",) if stored.state is State.DELETED else differences(wanted, stored, given_id=given_id)
        if other:
            names = f" ({', '.join(other)})"
            problem = RowProblem(field="", id=OTHER_DATA.id, text=f"{OTHER_DATA.text[:-1]}{names}.")
            row.problems.append(problem)
            return row.outcome("refused")
        row.problems.clear()
        return row.outcome("exists", stored.id)
