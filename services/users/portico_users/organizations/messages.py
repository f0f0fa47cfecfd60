"""Organizations in responses."""

from __future__ import annotations

from typing import Final

from portico_contracts.generated.portico.management.v1 import org_pb2

from portico_users.management_api.protobuf.details import details_of
from portico_users.organizations.org import Org
from portico_users.values.records import State

STATES: Final = {State.ACTIVE: org_pb2.ORG_STATE_ACTIVE, State.INACTIVE: org_pb2.ORG_STATE_INACTIVE}


def org_message(org: Org) -> org_pb2.Org:
    return org_pb2.Org(
        id=org.id, details=details_of(org), state=STATES[org.state], name=org.name, primary_domain=org.primary_domain
    )
