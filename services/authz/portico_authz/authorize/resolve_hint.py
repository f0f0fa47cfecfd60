"""The user of a login_hint: users resolves it like an entered login name, in all of its forms."""

from __future__ import annotations

from collections.abc import Sequence

from portico_contracts.users import FIND_USER, FindUser

from portico_authz.context import Context
from portico_authz.dependencies import Dependencies
from portico_authz.domain.session import Session


async def resolve_hint(deps: Dependencies, ctx: Context, sessions: Sequence[Session]) -> None:
    """Sets ``ctx.hinted_user`` where a hint can make a difference: where there is a session.

    A browser without sessions causes no lookup: a hint must not reveal whether an account exists.

    Raises:
        ServiceError: UNAVAILABLE, without users.
    """
    if not ctx.login_hint or not sessions:
        return
    question = FindUser(login_name=ctx.login_hint, org_id=ctx.org_id)
    user = (await deps.bus.call(FIND_USER, question)).user
    ctx.hinted_user = user.user_id if user else ""
