"""Creates registration links."""

from __future__ import annotations

from portico_contracts.generated.portico.user.v2 import credentials_pb2 as pb

from portico_users.api.shared.details import changed_details_of
from portico_users.api.transport.call import Call
from portico_users.api.user_v2.credentials.person import human_of, org_of
from portico_users.commands.credentials.passkey_links import CreatePasskeyLink, LinkRequest
from portico_users.directory.accounts.account import AnyUser
from portico_users.directory.organizations.store import MongoOrgs


async def create_passkey_registration_link(
    call: Call[AnyUser],
    request: pb.CreatePasskeyRegistrationLinkRequest,
    *,
    create: CreatePasskeyLink,
    orgs: MongoOrgs,
) -> pb.CreatePasskeyRegistrationLinkResponse:
    """Sends a link by email, or returns its code. Raises as `CreatePasskeyLink`; USER-506."""
    human = human_of(call)
    emailed = request.WhichOneof("medium") != "return_code"
    requested = LinkRequest(request.send_link.url_template, "sendLink.urlTemplate", emailed)
    link = (await create(human, await org_of(call, human, orgs), requested)).link
    answer = pb.CreatePasskeyRegistrationLinkResponse(details=changed_details_of(human))
    if not emailed:
        answer.code.CopyFrom(pb.PasskeyRegistrationCode(id=link.id, code=link.code))
    return answer
