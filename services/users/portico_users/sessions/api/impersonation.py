"""Decides who may act for whom (decision 0096)."""

from __future__ import annotations

from dataclasses import dataclass

from portico_contracts.users import ActForUser, AgentUsed, MayAct
from portico_oauth.errors import ErrorCode, Kind
from portico_runtime.process.clock import Clock

from portico_users.accounts.store import MongoAccounts
from portico_users.administrators.member import MongoMembers
from portico_users.administrators.permissions import Permission
from portico_users.applications.app_record import is_agent
from portico_users.applications.store import MongoApps
from portico_users.end_users.end_user import EndUser
from portico_users.instance.instance import UNSET, MongoInstance
from portico_users.management_api.transport.caller import caller_of
from portico_users.sessions.agent_uses import AgentUses
from portico_users.sessions.commands.impersonation import RecordImpersonation
from portico_users.values.names import MAX_LENGTH

NOT_ALLOWED_HERE = ErrorCode(
    "USER-885",
    Kind.INVALID_REQUEST,
    "Administrators cannot act for users here.",
    "An owner of the instance allows it with SetImpersonationSettings.",
)
MAY_NOT_ACT = ErrorCode(
    "USER-886",
    Kind.INVALID_REQUEST,
    "The actor may not act for this user.",
    "The actor needs user.impersonate in the organization of the user, and every permission that the user has.",
)


@dataclass(frozen=True, slots=True)
class Impersonation:
    """Needs a permission in the organization of the user, whose own permissions the actor must have (0012)."""

    accounts: MongoAccounts
    apps: MongoApps
    instances: MongoInstance
    members: MongoMembers
    record: RecordImpersonation
    uses: AgentUses
    clock: Clock

    async def act_for(self, ask: ActForUser) -> MayAct:
        """Raises USER-885, and USER-886 alike for an unknown user and for one whom the actor may not act for."""
        if not (await self.instances.find_settings() or UNSET).allows_impersonation:
            raise NOT_ALLOWED_HERE.error(actor=ask.actor_id)
        actor, user = await self._person(ask.actor_id), await self._person(ask.user_id)
        app = await self.apps.find_by_client_id(ask.client_id[: MAX_LENGTH + 1])
        if actor is None or user is None or app is None or not await self._may(actor, user):
            raise MAY_NOT_ACT.error(actor=ask.actor_id, user=ask.user_id, client=ask.client_id)
        if not ask.only_asked:
            await self.record(user, app, actor=actor.id)
            if is_agent(app):
                await self.uses.note(
                    AgentUsed(
                        user_id=user.id,
                        client_id=app.client_id,
                        audience=(),
                        scope=(),
                        at=self.clock.now(),
                        actor=actor.id,
                    )
                )
        return MayAct()

    async def _person(self, user_id: str) -> EndUser | None:
        account = await self.accounts.find_active_whole(user_id)
        return account.user if account and isinstance(account.user, EndUser) else None

    async def _may(self, actor: EndUser, user: EndUser) -> bool:
        if actor.id == user.id:
            return False
        acting, other = [
            caller_of(one.id, one.org_id, await self.members.list_of_user(one.id)) for one in (actor, user)
        ]
        return acting.may(Permission.USER_IMPERSONATE, user.org_id) and acting.covers(other)
