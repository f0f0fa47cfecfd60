from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from portico_contracts.zitadel.methods import ZITADEL_METHODS
from portico_oauth.errors import ErrorCode, Kind

from portico_users.management_api.transport.dispatch import Dispatch
from portico_users.management_api.transport.endpoints.rpc_endpoint import RpcEndpoint
from portico_users.management_api.transport.metadata import Metadata
from portico_users.management_api.transport.operation import Bind, Operation
from portico_users.management_api.transport.wire.encoded import Encoded
from portico_users.management_api.transport.wire.json_types import Answer
from portico_users.management_api.zitadel.aliases import HANDLERS
from portico_users.management_api.zitadel.calls import TheirCall
from portico_users.management_api.zitadel.login.operations import LOGIN_OPERATIONS

METHOD_NOT_OFFERED = ErrorCode(
    "USER-220",
    Kind.UNIMPLEMENTED,
    "Portico does not offer this method of ZITADEL.",
    "See the list of calls in the documentation, and use the management API of Portico instead.",
)


def zitadel_endpoint(dispatch: Dispatch, issuer: str, bind: Bind) -> RpcEndpoint:
    operations = {operation.name: operation.bound(bind) for operation in LOGIN_OPERATIONS}
    return RpcEndpoint(ZitadelDispatch(dispatch, issuer, operations), ZITADEL_METHODS.values())


@dataclass(frozen=True, slots=True)
class ZitadelDispatch:
    dispatch: Dispatch
    issuer: str = ""
    operations: Mapping[str, Operation] = field(default_factory=dict)

    async def perform(self, name: str, encoded: Encoded, metadata: Metadata) -> Answer:
        if operation := self.operations.get(name):
            return await self.dispatch.perform_operation(operation, encoded, metadata)
        if name not in HANDLERS:
            raise METHOD_NOT_OFFERED.error(method=name)
        method = ZITADEL_METHODS[name]
        response = method.response()
        await HANDLERS[name](TheirCall(self.dispatch, encoded, metadata, method.request(), self.issuer), response)
        return response
