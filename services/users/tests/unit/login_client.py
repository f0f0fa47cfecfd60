"""Calls the operations of own login pages without the dispatcher."""

from __future__ import annotations

import json
from typing import Any, Final

from portico_fakes.clock import FrozenClock
from portico_fakes.login_authz import LoginAuthz
from portico_fakes.memory_bus import MemoryBus
from portico_oauth.errors import ServiceError
from portico_runtime.process.clock import Clock
from portico_users.assembly.parts import Parts
from portico_users.bus import Bus
from portico_users.management_api.transport.call import Call, Target
from portico_users.management_api.transport.caller import Caller
from portico_users.management_api.transport.decision import NOT_PERMITTED
from portico_users.management_api.transport.wire.encoded import BinaryRequest, Encoded, JsonRequest
from portico_users.management_api.transport.wire.json_answers import write_json
from portico_users.management_api.zitadel.login.operations import LOGIN_OPERATIONS
from portico_web.languages import ENGLISH

CALL: Final[Call[object]] = Call(
    Caller("robot", "home", frozenset(), {}), Target("", "instance", NOT_PERMITTED), ENGLISH
)


class LoginClient:
    def __init__(self) -> None:
        bus = MemoryBus()
        self.authz = LoginAuthz(bus)
        parts = Parts()
        parts.add(bus, Bus)
        parts.add(FrozenClock(1_800_000_000.0), Clock)
        self._operations = {one.name.rpartition(".")[2]: one.bound(parts.bind) for one in LOGIN_OPERATIONS}

    def request(self, method: str) -> Any:
        return self._operations[method].method.request()

    async def call(self, method: str, members: dict[str, Any] | bytes) -> Any:
        operation = self._operations[method]
        request = operation.method.request()
        encoded: Encoded = (
            BinaryRequest(members) if isinstance(members, bytes) else JsonRequest(json.dumps(members).encode())
        )
        encoded.fill(request)
        answer = await operation.handle(CALL, request)
        assert isinstance(answer, operation.method.response)
        return json.loads(write_json(answer))

    async def refused(self, method: str, members: dict[str, Any] | bytes) -> list[str]:
        """Returns the fields that the error names; none if there is no error."""
        try:
            await self.call(method, members)
        except ServiceError as error:
            refused = error
        else:
            return []
        assert refused.id == "USER-303"
        assert not self.authz.asked
        return [one.field for one in refused.violations]
