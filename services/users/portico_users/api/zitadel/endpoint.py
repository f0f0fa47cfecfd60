from __future__ import annotations

from dataclasses import dataclass

from portico_contracts.zitadel.methods import ZITADEL_METHODS
from portico_oauth.errors import ErrorCode, Kind

from portico_users.api.transport.dispatch import Dispatch
from portico_users.api.transport.endpoints.rpc_endpoint import RpcEndpoint
from portico_users.api.transport.metadata import Metadata
from portico_users.api.transport.wire.encoded import Encoded
from portico_users.api.transport.wire.json_types import Answer
from portico_users.api.zitadel.aliases import HANDLERS
from portico_users.api.zitadel.calls import TheirCall

METHOD_NOT_OFFERED = ErrorCode(
    "USER-220",
    Kind.UNIMPLEMENTED,
    "Portico does not offer this method of ZITADEL.",
    "See the list of calls in the documentation, and use the management API of Portico instead.",
)


def zitadel_endpoint(dispatch: Dispatch, issuer: str) -> RpcEndpoint:
    return RpcEndpoint(ZitadelDispatch(dispatch, issuer), ZITADEL_METHODS.values())


@dataclass(frozen=True, slots=True)
class ZitadelDispatch:
    dispatch: Dispatch
    issuer: str = ""

    async def perform(self, name: str, encoded: Encoded, metadata: Metadata) -> Answer:
        if name not in HANDLERS:
            raise METHOD_NOT_OFFERED.error(method=name)
        method = ZITADEL_METHODS[name]
        response = method.response()
        await HANDLERS[name](TheirCall(self.dispatch, encoded, metadata, method.request(), self.issuer), response)
        return response
