"""The paths ``/zitadel.…`` that ZITADEL's SDKs call, for the handlers of the management API (decision 0105).

Loaded with the first call, and only if PORTICO_ZITADEL_NAMES is on. `aliases` names for each method the operation that
serves it; `copying` copies messages by the names of their fields. Callers, permissions and limits are those of the
operation: `transport.dispatch` checks them. `login` has the operations that only ZITADEL's API has: sign-ins on own
login pages, which authz performs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from portico_users.management_api.transport.dispatch import Dispatch
from portico_users.management_api.transport.operation import Bind

if TYPE_CHECKING:
    from portico_users.management_api.transport.endpoints.rpc_endpoint import RpcEndpoint


def load_zitadel_methods(dispatch: Dispatch, issuer: str, bind: Bind) -> RpcEndpoint:
    from portico_users.management_api.zitadel.endpoint import zitadel_endpoint  # noqa: PLC0415  # allow import-place: builds the message classes

    return zitadel_endpoint(dispatch, issuer, bind)
