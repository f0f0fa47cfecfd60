"""Alternatives to the open step of a login: passkeys, other second factors, other identity providers."""

from __future__ import annotations

from typing import Any, Final

from portico_contracts.step_names import StepName
from portico_contracts.users import Factor, LoginPolicy, OfferedProvider

from portico_authz.authorize.login_requirements import allowed_factors, policy_of
from portico_authz.dependencies import Dependencies
from portico_authz.domain.factors import SECOND_FACTORS, has_usable_password, may_begin_with_passkey, steps_of
from portico_authz.login.state import Login


async def policy_of_page(deps: Dependencies, login: Login) -> LoginPolicy:
    return await policy_of(deps, login.ctx, login.progress)


def may_use_passkey(login: Login, policy: LoginPolicy) -> bool:
    return not login.is_retry and may_begin_with_passkey(policy)


def may_use_email_code(login: Login, policy: LoginPolicy) -> bool:
    is_open = login.step is StepName.PASSWORD and not login.is_retry and not login.progress.user_id
    return is_open and policy.email_code_sign_in


async def is_known_by_code(deps: Dependencies, login: Login) -> bool:
    """Reports whether a session of this browser names the user, who began it with an emailed code and can use no password.

    For a typed name this would reveal that it has an account (LG-01).
    """
    session = await deps.stores.sessions.find(login.progress.chosen) if login.progress.chosen else None
    user = await deps.users_client.find_user(session.user_id) if session and session.emailed else None
    return user is not None and not has_usable_password(user, await deps.users_client.login_policy(user.org_id))


async def has_no_passkey(deps: Dependencies, login: Login) -> bool:
    """Reports whether a session of this browser names the user, who has no passkey.

    For a typed name this would reveal what its account has (LG-01).
    """
    if not login.request.confirms or not login.progress.chosen:
        return False
    session = await deps.stores.sessions.find(login.progress.chosen)
    user = await deps.users_client.find_user(session.user_id) if session else None
    return user is not None and Factor.PASSKEY not in user.factors


async def alternative_factors(deps: Dependencies, login: Login) -> tuple[StepName, ...]:
    if login.step not in SECOND_FACTORS or login.is_retry:
        return ()
    user = await deps.users_client.find_user(login.progress.user_id)
    factors = await allowed_factors(deps, user, login.progress) if user else ()
    return tuple(step for step in steps_of(factors) if step is not login.step)


async def trust_days(deps: Dependencies, login: Login) -> int:
    """For how many days the user may trust this browser, on the page of a second factor."""
    if login.step not in SECOND_FACTORS or login.is_retry:
        return 0
    user = await deps.users_client.find_user(login.progress.user_id)
    return (await deps.users_client.login_policy(user.org_id)).trusted_device_days if user else 0


PROVIDER_STEPS: Final = frozenset({StepName.LOGIN_NAME, StepName.PASSWORD, StepName.SELECT_ACCOUNT, StepName.REGISTER})
"""The steps before the first factor, which an external identity can replace."""


def offered_providers(login: Login, policy: LoginPolicy) -> tuple[OfferedProvider, ...]:
    if login.step not in PROVIDER_STEPS or login.is_retry or login.progress.external:
        return ()
    return policy.providers


def linking(login: Login) -> dict[str, Any]:
    """The fields of `LinkingStep`."""
    pending = login.progress.external
    if pending is None or login.progress.user_id:
        return {}
    return {"external_name": pending.provider_name, "may_link": pending.may_link, "may_create": pending.may_create}


def first_page(login: Login, policy: LoginPolicy) -> dict[str, Any]:
    """The fields of `FirstStep`."""
    return {**linking(login), "providers": offered_providers(login, policy)}
