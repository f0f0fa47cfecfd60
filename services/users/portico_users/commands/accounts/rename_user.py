"""Gives a user of either kind another user name."""

from __future__ import annotations

from dataclasses import dataclass

import msgspec

from portico_users.commands.accounts.user_names import UserNames
from portico_users.commands.command import Command, Commit
from portico_users.directory.accounts.account import AnyUser
from portico_users.directory.people.changes import put_human
from portico_users.directory.people.human import Human
from portico_users.directory.service_users.changes import put_service_user


@dataclass(frozen=True, slots=True)
class RenameUser(Command):
    """Changes the user name."""

    user_names: UserNames
    commit: Commit

    async def __call__(self, user: AnyUser, user_name: str, *, actor: str) -> AnyUser:
        """The renamed user.

        Raises:
            ServiceError: USER-003, USER-864 for a name that is not allowed, USER-011 for one that is taken, USER-702 for the
                one it has.
        """
        await self.user_names.refuse_foreign(user_name, user.org_id, "username")
        if isinstance(user, Human):
            human = put_human(user, msgspec.structs.replace(user, user_name=user_name))
            return await self.commit.change(human, actor=actor)
        service_user = put_service_user(user, msgspec.structs.replace(user, user_name=user_name))
        return await self.commit.change(service_user, actor=actor)
