"""The identity provider that a login name leads to without a page (decision 0144).

A typed name and a `login_hint` get the same answer, which follows from the domain alone (LG-01).
"""

from __future__ import annotations

from typing import NamedTuple

from portico_contracts.users import FIND_ORGANIZATION, FindOrganization, OfferedProvider, ProviderKind

from portico_authz.checked_request import CheckedRequest
from portico_authz.dependencies import Dependencies
from portico_authz.domain.progress import Progress


class HomeProvider(NamedTuple):
    """`progress` is that after the name was entered."""

    provider: OfferedProvider
    progress: Progress


async def find_org_of_domain(deps: Dependencies, name: str) -> str:
    _, at, domain = name.rpartition("@")
    if not at or not domain:
        return ""
    return (await deps.bus.call(FIND_ORGANIZATION, FindOrganization(domain=domain.casefold()))).org_id


async def find_home_provider(deps: Dependencies, ctx: CheckedRequest, name: str) -> HomeProvider | None:
    """Returns the only provider of the organization that has the domain of the name, where it redirects."""
    if not name or not (await deps.users_client.login_policy("")).redirects_somewhere:
        return None
    org_id = await find_org_of_domain(deps, name)
    if not org_id or ctx.scope.org_id not in ("", org_id):
        return None
    policy = await deps.users_client.login_policy(org_id)
    if not policy.redirect_to_provider or len(policy.providers) != 1:
        return None
    (only,) = policy.providers
    if only.kind is ProviderKind.LDAP:
        return None  # a directory is a page of its own
    return HomeProvider(only, Progress(login_name=name, org_id="" if ctx.scope.org_id else org_id))
