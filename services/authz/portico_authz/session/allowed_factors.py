"""What somebody has besides a password, and may use where they belong."""

from __future__ import annotations

from portico_contracts.users import Factor, User

from portico_authz.desk import Desk
from portico_authz.domain.factors import allowed_of


async def allowed_factors(desk: Desk, user: User) -> tuple[Factor, ...]:
    """Their factors that count in their organization; nobody is asked about somebody who has none."""
    return allowed_of(user.factors, await desk.directory.login_policy(user.org_id)) if user.factors else ()
