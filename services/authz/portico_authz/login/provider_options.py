"""The other identity providers a login offers."""

from __future__ import annotations

from typing import Final

from portico_contracts.login import StepName
from portico_contracts.users import OfferedProvider

from portico_authz.authorize.login_requirements import policy_of
from portico_authz.dependencies import Dependencies
from portico_authz.login.state import Login

PROVIDER_STEPS: Final = frozenset({StepName.LOGIN_NAME, StepName.PASSWORD, StepName.SELECT_ACCOUNT, StepName.REGISTER})
"""The steps before the first factor, which the identity of a provider can replace."""


async def offered_providers(deps: Dependencies, login: Login) -> tuple[OfferedProvider, ...]:
    """Those of the login policy; none while an account is to be proven for the identity of one."""
    if login.step not in PROVIDER_STEPS or login.is_retry or login.progress.external:
        return ()
    return (await policy_of(deps, login.ctx, login.progress)).providers
