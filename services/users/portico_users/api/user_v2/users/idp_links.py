"""Links of users to who they are at identity providers (MG-16)."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable
from typing import TypedDict

import msgspec
from portico_contracts.generated.portico.management.v1.idp_messages_pb2 import (
    ListHumanLinkedIDPsResponse,
    RemoveHumanLinkedIDPResponse,
)
from portico_contracts.generated.portico.user.v2 import user_pb2
from portico_contracts.generated.portico.user.v2.idp_links_pb2 import (
    AddIDPLinkRequest,
    AddIDPLinkResponse,
    ListIDPLinksRequest,
    ListIDPLinksResponse,
    RemoveIDPLinkRequest,
    RemoveIDPLinkResponse,
)

from portico_users.api.shared.committing import commit
from portico_users.api.shared.details import Details, changed_details_of
from portico_users.api.shared.listing import details_of_list, page_out_of
from portico_users.api.transport.call import Call
from portico_users.api.transport.needs import Needs
from portico_users.api.user_v2.credentials.person import human_of
from portico_users.api.user_v2.users.person_values import links_of
from portico_users.directory.accounts.account import AnyUser
from portico_users.directory.identity_providers.changes import IDP_NOT_FOUND
from portico_users.directory.people.changes import put_human
from portico_users.directory.people.human import Human
from portico_users.directory.people.idp_links import LINK_TAKEN, IdpLinks, without_link
from portico_users.kernel.problems import Problem, at


async def add_idp_link(call: Call[AnyUser], request: AddIDPLinkRequest) -> AddIDPLinkResponse:
    """Adds a link. Not for users themselves: they link by signing in over there.

    Raises:
        ServiceError: USER-318 for an identity provider the user's organization does not have, USER-610 to 612.
    """
    human = human_of(call)
    (link,) = await usable_links(call.needs, human.org_id, [request.idp_link])
    if link.key in {one.key for one in human.idp_links}:
        raise LINK_TAKEN.error()
    changed = await _put(call, human, (*human.idp_links, link))
    return AddIDPLinkResponse(details=changed_details_of(changed))


class _Link(TypedDict):
    """The fields of a listed link, in the messages of either API."""

    idp_id: str
    idp_name: str
    user_id: str
    user_name: str


async def list_idp_links(call: Call[AnyUser], request: ListIDPLinksRequest) -> ListIDPLinksResponse:
    """The links, without those to identity providers that were removed."""
    links = await _links(call)
    return ListIDPLinksResponse(details=details_of_list(len(links)), result=page_out_of(links, request.query))


async def list_human_linked_idps(call: Call[AnyUser], request: ListIDPLinksRequest) -> ListHumanLinkedIDPsResponse:
    """The same, with the field numbers of the v1 API."""
    links = await _links(call)
    return ListHumanLinkedIDPsResponse(details=details_of_list(len(links)), result=page_out_of(links, request.query))


async def remove_idp_link(call: Call[AnyUser], request: RemoveIDPLinkRequest) -> RemoveIDPLinkResponse:
    """Removes a link; USER-613 when there is none."""
    return RemoveIDPLinkResponse(details=await _remove(call, request))


async def remove_human_linked_idp(call: Call[AnyUser], request: RemoveIDPLinkRequest) -> RemoveHumanLinkedIDPResponse:
    """The same, with the field numbers of the v1 API."""
    return RemoveHumanLinkedIDPResponse(details=await _remove(call, request))


async def usable_links(needs: Needs, org_id: str, links: Iterable[user_pb2.IdpLink]) -> IdpLinks:
    """The links, of which all name identity providers the organization may use.

    Raises:
        ServiceError: USER-318 with the place of the first one that does not; a foreign one is like an unknown one.
    """
    wanted = list(links)
    async for problem in problems_of_links(needs, org_id, wanted):
        raise at(problem.path, problem.error_code.error())
    return links_of(wanted)


async def problems_of_links(needs: Needs, org_id: str, links: Iterable[user_pb2.IdpLink]) -> AsyncIterator[Problem]:
    """Those that name an identity provider the organization may not use."""
    for number, link in enumerate(links):
        if await needs.idps.find_usable(link.idp_id, org_id) is None:
            yield Problem(f"idpLinks[{number}].idpId", IDP_NOT_FOUND)


async def _links(call: Call[AnyUser]) -> list[_Link]:
    human = human_of(call)
    idps = {idp.id: idp for idp in await call.needs.idps.list_by_ids(link.idp_id for link in human.idp_links)}
    return [
        _Link(idp_id=link.idp_id, idp_name=idps[link.idp_id].name, user_id=link.user_id, user_name=link.user_name)
        for link in human.idp_links
        if link.idp_id in idps
    ]


async def _remove(call: Call[AnyUser], request: RemoveIDPLinkRequest) -> Details:
    human = human_of(call)
    changed = await _put(call, human, without_link(human.idp_links, request.idp_id, request.linked_user_id))
    return changed_details_of(changed)


async def _put(call: Call[AnyUser], human: Human, links: IdpLinks) -> Human:
    after = msgspec.structs.replace(human, idp_links=links)
    return await commit(call, put_human(human, after))
