"""Reads identity providers in the shape of the newer API, one or a list."""

from __future__ import annotations

from portico_contracts.generated.portico.management.v1 import idp_templates_pb2 as pb
from portico_contracts.generated.portico.management.v1.idp_messages_pb2 import GetIDPByIDRequest, ListIDPsRequest

from portico_users.api.management_v1.idps.idp_messages import provider_message
from portico_users.api.management_v1.idps.read_idps import find_listed
from portico_users.api.shared.listing import details_of_list
from portico_users.api.transport.call import Call
from portico_users.directory.accounts.store import MongoAccounts
from portico_users.directory.identity_providers.idp import Idp
from portico_users.directory.identity_providers.store import MongoIdps


async def get_provider(call: Call[Idp], _request: GetIDPByIDRequest) -> pb.GetProviderByIDResponse:
    """The identity provider, active or not, however it was added."""
    return pb.GetProviderByIDResponse(idp=provider_message(call.target.subject))


async def get_provider_usage(
    call: Call[Idp], _request: pb.GetProviderUsageRequest, *, accounts: MongoAccounts
) -> pb.GetProviderUsageResponse:
    """How many users sign in through it, and how many through nothing else."""
    usage = await accounts.count_linked(call.target.subject.id)
    return pb.GetProviderUsageResponse(linked_users=usage.linked, only_way_in=usage.only_way_in)


async def list_providers(
    call: Call[tuple[str, ...]], request: ListIDPsRequest, *, idps: MongoIdps
) -> pb.ListProvidersResponse:
    """A page of those of the owners that meet all conditions."""
    found = await find_listed(call, request, idps)
    return pb.ListProvidersResponse(
        details=details_of_list(found.total), result=[provider_message(idp) for idp in found.records]
    )
