"""Registration links of the management API v1: returned as an address, or sent by email."""

from __future__ import annotations

from typing import Final

from google.protobuf.duration_pb2 import Duration
from portico_contracts.generated.portico.management.v1 import human_pb2 as pb

from portico_users.api.shared.details import changed_details_of
from portico_users.api.transport.call import Call
from portico_users.api.user_v2.credentials.person import human_of, org_of
from portico_users.commands.credentials.passkey_links import CreatePasskeyLink, LinkRequest
from portico_users.credentials.webauthn.registration_links import SECONDS
from portico_users.directory.accounts.account import AnyUser
from portico_users.directory.organizations.store import MongoOrgs

LIFETIME: Final = Duration(seconds=int(SECONDS))


async def add_passwordless_registration(
    call: Call[AnyUser], request: pb.AddPasswordlessRegistrationRequest, *, create: CreatePasskeyLink, orgs: MongoOrgs
) -> pb.AddPasswordlessRegistrationResponse:
    """Returns a link. Raises as `CreatePasskeyLink`; USER-506."""
    human = human_of(call)
    link = await create(human, await org_of(call, human, orgs), LinkRequest(request.url_template, emailed=False))
    details = changed_details_of(human)
    return pb.AddPasswordlessRegistrationResponse(details=details, link=link.address, expiration=LIFETIME)


async def send_passwordless_registration(
    call: Call[AnyUser], request: pb.SendPasswordlessRegistrationRequest, *, create: CreatePasskeyLink, orgs: MongoOrgs
) -> pb.SendPasswordlessRegistrationResponse:
    """Sends a link by email. Raises as `CreatePasskeyLink`; USER-506."""
    human = human_of(call)
    await create(human, await org_of(call, human, orgs), LinkRequest(request.url_template))
    return pb.SendPasswordlessRegistrationResponse(details=changed_details_of(human))
