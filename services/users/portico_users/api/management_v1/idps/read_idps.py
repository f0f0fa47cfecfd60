"""Reads identity providers, one or a list."""

from __future__ import annotations

from typing import Any, Final

from portico_contracts.generated.portico.management.v1 import idp_pb2 as pb
from portico_contracts.generated.portico.management.v1.idp_messages_pb2 import (
    GetIDPByIDRequest,
    GetIDPByIDResponse,
    ListIDPsRequest,
    ListIDPsResponse,
)

from portico_users.api.management_v1.idps.idp_messages import idp_message
from portico_users.api.shared.listing import LISTED, by_text, details_of_list, page_of, questions_of
from portico_users.api.transport.call import Call
from portico_users.directory.identity_providers.idp import Idp
from portico_users.directory.identity_providers.store import MongoIdps
from portico_users.kernel.entry import Document
from portico_users.kernel.listing import Listed
from portico_users.kernel.names import INSTANCE

_SORT_BY: Final[dict[int, str]] = {pb.IDP_FIELD_NAME_UNSPECIFIED: "created", pb.IDP_FIELD_NAME_NAME: "nameKey"}


async def get_idp(call: Call[Idp], _request: GetIDPByIDRequest) -> GetIDPByIDResponse:
    """The identity provider, active or not."""
    return GetIDPByIDResponse(idp=idp_message(call.target.subject))


async def list_idps(call: Call[tuple[str, ...]], request: ListIDPsRequest, *, idps: MongoIdps) -> ListIDPsResponse:
    """A page of those of the owners that meet all conditions."""
    found = await find_listed(call, request, idps)
    result = [idp_message(idp) for idp in found.records]
    return ListIDPsResponse(details=details_of_list(found.total), sorting_column=request.sorting_column, result=result)


async def find_listed(call: Call[tuple[str, ...]], request: ListIDPsRequest, idps: MongoIdps) -> Listed[Idp]:
    """The requested page of identity providers, and how many there are."""
    owned: Document = {"orgId": {"$in": list(call.target.subject)}}
    questions = [LISTED, owned, *questions_of(request.queries, CONDITIONS)]
    return await idps.list_page({"$and": questions}, page_of(request.query, _SORT_BY[request.sorting_column]))


def _owner(query: Any) -> Document:
    return {"orgId": {("$eq" if query.owner_type == pb.IDP_OWNER_TYPE_SYSTEM else "$ne"): INSTANCE}}


CONDITIONS: Final = {
    "idp_id_query": lambda query: {"_id": query.id},
    "idp_name_query": by_text("name", "name"),
    "owner_type_query": _owner,
}
"""By the name of the field in the .proto file; a test looks that none is missing."""
