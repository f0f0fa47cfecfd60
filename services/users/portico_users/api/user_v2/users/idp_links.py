"""Links of users to who they are at identity providers (MG-16)."""

from __future__ import annotations

from typing import TypedDict

from portico_contracts.generated.portico.management.v1.idp_messages_pb2 import (
    ListHumanLinkedIDPsResponse,
)
from portico_contracts.generated.portico.user.v2.idp_links_pb2 import (
    ListIDPLinksRequest,
    ListIDPLinksResponse,
)

from portico_users.api.shared.listing import details_of_list, page_out_of
from portico_users.api.transport.call import Call
from portico_users.api.user_v2.credentials.person import human_of
from portico_users.directory.accounts.account import AnyUser
from portico_users.directory.identity_providers.store import MongoIdps


class _Link(TypedDict):
    """The fields of a listed link, in the messages of either API."""

    idp_id: str
    idp_name: str
    user_id: str
    user_name: str


async def list_idp_links(call: Call[AnyUser], request: ListIDPLinksRequest, *, idps: MongoIdps) -> ListIDPLinksResponse:
    """The links, without those to identity providers that were removed."""
    links = await _links(call, idps)
    return ListIDPLinksResponse(details=details_of_list(len(links)), result=page_out_of(links, request.query))


async def list_human_linked_idps(
    call: Call[AnyUser], request: ListIDPLinksRequest, *, idps: MongoIdps
) -> ListHumanLinkedIDPsResponse:
    """The same, with the field numbers of the v1 API."""
    links = await _links(call, idps)
    return ListHumanLinkedIDPsResponse(details=details_of_list(len(links)), result=page_out_of(links, request.query))


async def _links(call: Call[AnyUser], idps: MongoIdps) -> list[_Link]:
    human = human_of(call)
    known = {idp.id: idp for idp in await idps.list_by_ids(link.idp_id for link in human.idp_links)}
    return [
        _Link(idp_id=link.idp_id, idp_name=known[link.idp_id].name, user_id=link.user_id, user_name=link.user_name)
        for link in human.idp_links
        if link.idp_id in known
    ]
