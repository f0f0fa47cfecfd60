"""Finds what a call about identity providers is about."""

from __future__ import annotations

from typing import Protocol

from portico_users.api.transport.call import RequestContext, Target
from portico_users.api.transport.decision import NOT_PERMITTED
from portico_users.api.transport.targets import EVERYWHERE, own_or_named_org
from portico_users.directory.identity_providers.idp import Idp
from portico_users.directory.identity_providers.store import IDP_NOT_FOUND, MongoIdps
from portico_users.directory.organizations.org import MongoOrgs
from portico_users.kernel.names import INSTANCE


class NamesIdp(Protocol):
    """A request with the id of an identity provider."""

    @property
    def idp_id(self) -> str:
        """The id."""
        ...


async def readable_idp(context: RequestContext, request: NamesIdp, *, orgs: MongoOrgs, idps: MongoIdps) -> Target[Idp]:
    """The identity provider the organization may use: its own, or the instance's.

    Raises:
        ServiceError: USER-318 when there is none; USER-313 for a header that may not be.
    """
    org = await own_or_named_org(context, request, orgs=orgs)
    return Target(org.org_id, _there(await idps.find_usable(request.idp_id, org.org_id)), IDP_NOT_FOUND)


async def own_idp(context: RequestContext, request: NamesIdp, *, orgs: MongoOrgs, idps: MongoIdps) -> Target[Idp]:
    """The organization's own identity provider; another organization's is like an unknown one (MG-01, MG-04).

    Raises:
        ServiceError: as `readable_idp`.
    """
    org = await own_or_named_org(context, request, orgs=orgs)
    return Target(org.org_id, _there(await idps.find_owned(request.idp_id, org.org_id)), IDP_NOT_FOUND)


async def owners_to_list(context: RequestContext, request: object, *, orgs: MongoOrgs) -> Target[tuple[str, ...]]:
    """Whose identity providers an organization may use: its own and the instance's."""
    org = await own_or_named_org(context, request, orgs=orgs)
    return Target(org.org_id, (org.org_id, INSTANCE), org.absent)


async def instance_idp(_context: RequestContext, request: NamesIdp, *, idps: MongoIdps) -> Target[Idp]:
    """The instance's identity provider the request names; USER-318 when there is none."""
    return Target(EVERYWHERE, _there(await idps.find_owned(request.idp_id, INSTANCE)), IDP_NOT_FOUND)


async def instance_to_list(_context: RequestContext, _request: object) -> Target[tuple[str, ...]]:
    """The instance alone."""
    return Target(EVERYWHERE, (INSTANCE,), NOT_PERMITTED)


def _there(idp: Idp | None) -> Idp:
    if idp is None:
        raise IDP_NOT_FOUND.error()
    return idp
