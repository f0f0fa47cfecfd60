"""Links that register a passkey."""

from __future__ import annotations

from portico_contracts.generated.portico.management.v1 import human_pb2 as pb

from portico_users.accounts.account import AnyUser
from portico_users.credentials.messages import LIFETIME
from portico_users.credentials.passkey_links import CreatePasskeyLink, LinkRequest
from portico_users.management_api.protobuf.details import changed_details_of
from portico_users.management_api.protobuf.target_user import end_user_of, org_of
from portico_users.management_api.transport.call import Call
from portico_users.organizations.org import MongoOrgs


async def add_passwordless_registration(
    call: Call[AnyUser], request: pb.AddPasswordlessRegistrationRequest, *, create: CreatePasskeyLink, orgs: MongoOrgs
) -> pb.AddPasswordlessRegistrationResponse:
    human = end_user_of(call)
    link = await create(human, await org_of(call, human, orgs), LinkRequest(request.url_template, emailed=False))
    details = changed_details_of(human)
    return pb.AddPasswordlessRegistrationResponse(details=details, link=link.address, expiration=LIFETIME)


async def send_passwordless_registration(
    call: Call[AnyUser], request: pb.SendPasswordlessRegistrationRequest, *, create: CreatePasskeyLink, orgs: MongoOrgs
) -> pb.SendPasswordlessRegistrationResponse:
    human = end_user_of(call)
    await create(human, await org_of(call, human, orgs), LinkRequest(request.url_template))
    return pb.SendPasswordlessRegistrationResponse(details=changed_details_of(human))
