from __future__ import annotations

import msgspec
from portico_contracts.generated.portico.management.v1 import app_service_pb2 as pb

from portico_users.applications.app_record import App
from portico_users.management_api.protobuf.details import details_of
from portico_users.management_api.protobuf.messages import MessageValues
from portico_users.management_api.transport.call import Call
from portico_users.trusted_workloads.messages import WorkloadMessages
from portico_users.trusted_workloads.workload import workloads_in


def with_workloads(app: App, request: pb.SetAppTrustedWorkloadsRequest) -> App:
    return msgspec.structs.replace(app, trusted_workloads=workloads_in(MessageValues(request), ()))


async def get_trusted_workloads(
    call: Call[App], _request: pb.GetAppTrustedWorkloadsRequest, *, messages: WorkloadMessages
) -> pb.GetAppTrustedWorkloadsResponse:
    app = call.target.subject
    return pb.GetAppTrustedWorkloadsResponse(
        details=details_of(app),
        trusted_workloads=messages.written(app.trusted_workloads),
        last_uses=await messages.last_uses(app.client_id, app.trusted_workloads),
        last_refused=await messages.last_refused("", app.id, call.language),
    )
