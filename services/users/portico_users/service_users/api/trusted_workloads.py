from __future__ import annotations

import msgspec
from portico_contracts.generated.portico.management.v1 import service_user_service_pb2 as pb

from portico_users.management_api.protobuf.details import details_of
from portico_users.management_api.protobuf.messages import MessageValues
from portico_users.management_api.transport.call import Call
from portico_users.service_users.service_user import ServiceUser
from portico_users.trusted_workloads.messages import WorkloadMessages
from portico_users.trusted_workloads.workload import workloads_in


def with_workloads(user: ServiceUser, request: pb.SetMachineTrustedWorkloadsRequest) -> ServiceUser:
    return msgspec.structs.replace(user, trusted_workloads=workloads_in(MessageValues(request), ()))


async def get_trusted_workloads(
    call: Call[ServiceUser], _request: pb.GetMachineTrustedWorkloadsRequest, *, messages: WorkloadMessages
) -> pb.GetMachineTrustedWorkloadsResponse:
    user = call.target.subject
    return pb.GetMachineTrustedWorkloadsResponse(
        details=details_of(user),
        trusted_workloads=messages.written(user.trusted_workloads),
        last_uses=await messages.last_uses(user.id, user.trusted_workloads),
        last_refused=await messages.last_refused(user.id, "", call.language),
    )
