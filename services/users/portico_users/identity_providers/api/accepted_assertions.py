from __future__ import annotations

import msgspec
from portico_contracts.generated.portico.management.v1 import idp_assertions_pb2 as pb

from portico_users.identity_providers.assertions.fields import ACCEPTED
from portico_users.identity_providers.idp import Idp
from portico_users.management_api.protobuf.details import details_of
from portico_users.management_api.protobuf.messages import MessageValues, message_of
from portico_users.management_api.transport.call import Call


def with_assertions(idp: Idp, request: pb.SetAcceptedAssertionsRequest) -> Idp:
    return msgspec.structs.replace(idp, assertions=ACCEPTED.new(MessageValues(request.accepted_assertions)))


async def get_accepted_assertions(
    call: Call[Idp], _request: pb.GetAcceptedAssertionsRequest
) -> pb.GetAcceptedAssertionsResponse:
    idp = call.target.subject
    accepted = message_of(pb.AcceptedAssertions, ACCEPTED, idp.assertions)
    return pb.GetAcceptedAssertionsResponse(details=details_of(idp), accepted_assertions=accepted)
