"""Reads identity providers, and finds the one a request names."""

from __future__ import annotations

from typing import Final, Protocol

from portico_contracts.generated.portico.management.v1 import idp_pb2 as pb
from portico_contracts.generated.portico.management.v1 import idp_templates_pb2 as idp_templates_pb
from portico_contracts.generated.portico.management.v1.idp_messages_pb2 import (
    GetIDPByIDRequest,
    GetIDPByIDResponse,
    ListIDPsRequest,
    ListIDPsResponse,
)
from portico_web.languages import Language

from portico_users.accounts.store import MongoAccounts
from portico_users.identity_providers.api.idp_messages import idp_message, provider_message
from portico_users.identity_providers.federation.last_tests import LastTest, LastTests
from portico_users.identity_providers.idp import Idp
from portico_users.identity_providers.store import IDP_NOT_FOUND, MongoIdps
from portico_users.management_api.protobuf.details import timestamp_of
from portico_users.management_api.protobuf.error_reasons import reason_of
from portico_users.management_api.protobuf.listing import by_text, details_of_list, page_of, questions_of
from portico_users.management_api.transport.call import Call, RequestContext, Target
from portico_users.management_api.transport.decision import NOT_PERMITTED
from portico_users.management_api.transport.targets import EVERYWHERE, own_or_named_org
from portico_users.organizations.org import MongoOrgs
from portico_users.storage.entry import NOT_DELETED, Document
from portico_users.storage.listing import Listed
from portico_users.values.names import INSTANCE
from portico_users.values.records import version_of

_SORT_BY: Final[dict[int, str]] = {pb.IDP_FIELD_NAME_UNSPECIFIED: "created", pb.IDP_FIELD_NAME_NAME: "nameKey"}


async def get_idp(call: Call[Idp], _request: GetIDPByIDRequest) -> GetIDPByIDResponse:
    return GetIDPByIDResponse(idp=idp_message(call.target.subject))


async def list_idps(call: Call[tuple[str, ...]], request: ListIDPsRequest, *, idps: MongoIdps) -> ListIDPsResponse:
    found = await find_listed(call, request, idps)
    result = [idp_message(idp) for idp in found.records]
    return ListIDPsResponse(details=details_of_list(found.total), sorting_column=request.sorting_column, result=result)


async def find_listed(call: Call[tuple[str, ...]], request: ListIDPsRequest, idps: MongoIdps) -> Listed[Idp]:
    owned: Document = {"orgId": {"$in": list(call.target.subject)}}
    questions = [NOT_DELETED, owned, *questions_of(request.queries, CONDITIONS)]
    return await idps.list_page({"$and": questions}, page_of(request.query, _SORT_BY[request.sorting_column]))


def _owner(query: pb.IDPOwnerTypeQuery) -> Document:
    return {"orgId": {("$eq" if query.owner_type == pb.IDP_OWNER_TYPE_SYSTEM else "$ne"): INSTANCE}}


CONDITIONS: Final = {
    "idp_id_query": lambda query: {"_id": query.id},
    "idp_name_query": by_text("name", "name"),
    "owner_type_query": _owner,
}


async def get_provider(
    call: Call[Idp], _request: GetIDPByIDRequest, *, tests: LastTests
) -> idp_templates_pb.GetProviderByIDResponse:
    idp = call.target.subject
    is_foreign = idp.of_instance and call.target.org_id != EVERYWHERE
    test = None if is_foreign else await tests.find(idp.id)
    return idp_templates_pb.GetProviderByIDResponse(
        idp=provider_message(idp), last_test=_last_test(idp, test, call.language) if test else None
    )


def _last_test(idp: Idp, test: LastTest, language: Language) -> idp_templates_pb.LastProviderTest:
    return idp_templates_pb.LastProviderTest(
        time=timestamp_of(test.at),
        user_id=test.actor,
        error_id=test.error_id,
        error_text=reason_of(test.error_id, language).text,
        outdated=test.version != version_of(idp),
    )


async def get_provider_usage(
    call: Call[Idp], _request: idp_templates_pb.GetProviderUsageRequest, *, accounts: MongoAccounts
) -> idp_templates_pb.GetProviderUsageResponse:
    usage = await accounts.count_linked(call.target.subject.id)
    return idp_templates_pb.GetProviderUsageResponse(linked_users=usage.linked, only_way_in=usage.only_way_in)


async def list_providers(
    call: Call[tuple[str, ...]], request: ListIDPsRequest, *, idps: MongoIdps
) -> idp_templates_pb.ListProvidersResponse:
    found = await find_listed(call, request, idps)
    return idp_templates_pb.ListProvidersResponse(
        details=details_of_list(found.total), result=[provider_message(idp) for idp in found.records]
    )


class NamesIdp(Protocol):
    @property
    def idp_id(self) -> str: ...


async def readable_idp(context: RequestContext, request: NamesIdp, *, orgs: MongoOrgs, idps: MongoIdps) -> Target[Idp]:
    org = await own_or_named_org(context, request, orgs=orgs)
    return Target(org.org_id, _there(await idps.find_usable(request.idp_id, org.org_id)), IDP_NOT_FOUND)


async def own_idp(context: RequestContext, request: NamesIdp, *, orgs: MongoOrgs, idps: MongoIdps) -> Target[Idp]:
    """Finds the organization's own provider; those of other organizations count as unknown (MG-01, MG-04)."""
    org = await own_or_named_org(context, request, orgs=orgs)
    return Target(org.org_id, _there(await idps.find_owned(request.idp_id, org.org_id)), IDP_NOT_FOUND)


async def owners_to_list(context: RequestContext, request: object, *, orgs: MongoOrgs) -> Target[tuple[str, ...]]:
    org = await own_or_named_org(context, request, orgs=orgs)
    return Target(org.org_id, (org.org_id, INSTANCE), org.absent)


async def instance_idp(_context: RequestContext, request: NamesIdp, *, idps: MongoIdps) -> Target[Idp]:
    return Target(EVERYWHERE, _there(await idps.find_owned(request.idp_id, INSTANCE)), IDP_NOT_FOUND)


async def instance_to_list(_context: RequestContext, _request: object) -> Target[tuple[str, ...]]:
    return Target(EVERYWHERE, (INSTANCE,), NOT_PERMITTED)


def _there(idp: Idp | None) -> Idp:
    if idp is None:
        raise IDP_NOT_FOUND.error()
    return idp
