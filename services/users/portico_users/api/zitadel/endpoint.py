from __future__ import annotations

from dataclasses import dataclass, field

from google.protobuf.message import Message
from portico_contracts.zitadel.methods import ZITADEL_METHODS
from portico_oauth.errors import ErrorCode, Kind

from portico_users.api.transport.dispatch import Dispatch
from portico_users.api.transport.endpoints.rpc_endpoint import RpcEndpoint
from portico_users.api.transport.metadata import Metadata
from portico_users.api.transport.wire.encoded import Encoded, refuse_violations
from portico_users.api.transport.wire.json_types import Answer, as_message
from portico_users.api.zitadel.aliases import ALIASES, Alias

METHOD_NOT_OFFERED = ErrorCode(
    "USER-220",
    Kind.UNIMPLEMENTED,
    "Portico does not offer this method of ZITADEL.",
    "See the list of calls in the documentation, and use the management API of Portico instead.",
)


def zitadel_endpoint(dispatch: Dispatch) -> RpcEndpoint:
    return RpcEndpoint(ZitadelDispatch(dispatch), ZITADEL_METHODS.values())


@dataclass(frozen=True, slots=True)
class _Translated:
    """A request in the SDK's message, which is decoded once the caller is known."""

    encoded: Encoded
    message: Message = field(repr=False)
    alias: Alias

    def fill(self, message: Message) -> None:
        self.encoded.fill(self.message)
        self.alias.read(self.message, message)
        refuse_violations(message)


@dataclass(frozen=True, slots=True)
class ZitadelDispatch:
    dispatch: Dispatch

    async def perform(self, name: str, encoded: Encoded, metadata: Metadata) -> Answer:
        alias = ALIASES.get(name)
        if alias is None:
            raise METHOD_NOT_OFFERED.error(method=name)
        method = ZITADEL_METHODS[name]
        translated = _Translated(encoded, method.request(), alias)
        answer = await self.dispatch.perform(alias.operation, translated, metadata)
        response = method.response()
        alias.write(as_message(answer), response)
        return response
