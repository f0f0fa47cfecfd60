from __future__ import annotations

from typing import Final

from portico_contracts.generated.zitadel.oidc import v2_pb2 as oidc
from portico_contracts.generated.zitadel.session import v2_pb2 as session
from portico_contracts.generated.zitadel.settings import v2_pb2 as settings
from portico_contracts.generated.zitadel.user import v2_pb2 as user
from portico_contracts.management import Method, method_of

ZITADEL_METHODS: Final[dict[str, Method]] = {
    described.full_name: method_of(described)
    for file in (user, session, oidc, settings)
    for service in file.DESCRIPTOR.services_by_name.values()
    for described in service.methods
}
