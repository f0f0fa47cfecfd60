"""Users of an old system become users here with the password that it has confirmed (decision 0103)."""

from __future__ import annotations

from dataclasses import dataclass, replace

import msgspec
import structlog
from portico_oauth.errors import ErrorCode, Kind

from portico_users.accounts.account import AnyUser
from portico_users.credentials.passwords.hash_counts import password_attachment
from portico_users.end_users.changes import put_end_user
from portico_users.end_users.create_end_user import CreateEndUser
from portico_users.end_users.end_user import EndUser, can_authenticate
from portico_users.end_users.new_end_user import ComputedHash, NewEndUser
from portico_users.groups.edit_groups import PutIntoGroups
from portico_users.journal.command import Command, Commit
from portico_users.organizations.org import Org
from portico_users.user_import.row import OTHER_ORG, names_other_org, new_end_user
from portico_users.user_import.row_format import read_row_body
from portico_users.values.names import login_key

OTHER_USER = ErrorCode(
    "USER-151",
    Kind.INVALID_REQUEST,
    "The migration hook answered with another user than the one who signs in.",
    "Answer with the user whose user name or email address is the login name of the question.",
)

log = structlog.get_logger("portico.migration")


def may_get_password(user: AnyUser, org: Org) -> bool:
    """Accepts users of the organization who were imported without a password and have no other way to sign in."""
    if not isinstance(user, EndUser) or user.org_id != org.id:
        return False
    return not can_authenticate(user) and not user.password_changed


@dataclass(frozen=True, slots=True)
class MigrateEndUser(Command):
    create_human: CreateEndUser
    put_into: PutIntoGroups
    commit: Commit

    async def create(self, org: Org, login_name: str, row: bytes, password: str) -> None:
        """Creates the user of a row, in its groups. Raises what makes the row unusable, and ALREADY_EXISTS."""
        body = read_row_body(row.decode(errors="replace"))
        if names_other_org(body, org.id):
            raise OTHER_ORG.error()
        new = replace(new_end_user(body), password=None, codes=())
        _require_same_name(new, org, login_name)
        async for problem in self.create_human.problems(org, new, imported=True):
            raise problem
        must_change = await self._breaks_rules(new.as_end_user("", org.id), password)
        new = replace(new, password=ComputedHash(await self._hashed(password)))
        planned = self.create_human.plan_valid(org, new)
        after = msgspec.structs.replace(planned.entry.after, password_change_required=must_change)
        after = await self.put_into.plan_named(after, body.groups)
        await self.commit(replace(planned.entry, after=after))

    async def set_password(self, human: EndUser, password: str) -> None:
        must_change = await self._breaks_rules(human, password)
        after = msgspec.structs.replace(human, has_password=True, password_change_required=must_change)
        attachment = password_attachment(human.id, await self._hashed(password))
        entry = replace(put_end_user(human, after), attachments=(attachment,), attached=("password",))
        await self.commit(entry)

    async def _hashed(self, password: str) -> str:
        async with self.create_human.passwords.pool.place() as place:
            return await place.hash(password)

    async def _breaks_rules(self, human: EndUser, password: str) -> bool:
        """The password works once, and must then be replaced by one that the organization accepts."""
        passwords = self.create_human.passwords
        rules = (await passwords.lockout.policies.of(human.org_id)).password
        return await passwords.check.find_problem(password, human.user_name, rules) is not None


def _require_same_name(new: NewEndUser, org: Org, login_name: str) -> None:
    """A hook may not create another user than the one whose password it has confirmed."""
    user_name = new.user_name or new.email
    names = (user_name, f"{user_name}@{org.primary_domain}", new.email if new.email_proof else user_name)
    if login_key(login_name) not in map(login_key, names):
        raise OTHER_USER.error()
