"""The second factors of a user that the login policy of the organization accepts."""

from __future__ import annotations

from portico_contracts.users import Factor, User

from portico_authz.dependencies import Dependencies
from portico_authz.domain.factors import allowed_factors_of


async def allowed_factors(deps: Dependencies, user: User) -> tuple[Factor, ...]:
    """The accepted factors; the policy is not read for a user without any."""
    return allowed_factors_of(user.factors, await deps.directory.login_policy(user.org_id)) if user.factors else ()
