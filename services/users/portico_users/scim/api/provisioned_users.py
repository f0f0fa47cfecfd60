"""What a directory sent of a user: for administrators, and for the user's own data."""

from __future__ import annotations

from google.protobuf.struct_pb2 import Struct
from portico_contracts.generated.portico.management.v1 import scim_service_pb2 as pb

from portico_users.accounts.account import AnyUser
from portico_users.end_users.end_user import EndUser
from portico_users.management_api.protobuf.listing import details_of_list
from portico_users.management_api.transport.call import Call
from portico_users.scim.connection import MongoScimConnections
from portico_users.scim.protocol.user_values import resource_of


async def list_user_provisioning(
    call: Call[AnyUser], _request: pb.ListUserProvisioningRequest, *, connections: MongoScimConnections
) -> pb.ListUserProvisioningResponse:
    user = call.target.subject
    if not isinstance(user, EndUser) or user.provisioned is None:
        return pb.ListUserProvisioningResponse(details=details_of_list(0))
    kept = user.provisioned
    connection = await connections.find_there(kept.connection_id)
    attributes = Struct()
    attributes.update({name: value for name, value in resource_of(user).items() if name not in ("id", "schemas")})
    found = pb.UserProvisioning(
        connection_id=kept.connection_id,
        connection_name=connection.name if connection else "",
        external_id=kept.external_id,
        attributes=attributes,
        removed=kept.removed,
    )
    return pb.ListUserProvisioningResponse(details=details_of_list(1), result=[found])
