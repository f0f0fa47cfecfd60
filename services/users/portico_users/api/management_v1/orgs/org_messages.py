"""Organizations and domains as messages."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from portico_contracts.generated.portico.management.v1 import org_pb2, org_service_pb2

from portico_users.api.shared.details import details_of
from portico_users.directory.organizations.domains import Proof
from portico_users.directory.organizations.org import Org
from portico_users.kernel.records import State

STATES: Final = {State.ACTIVE: org_pb2.ORG_STATE_ACTIVE, State.INACTIVE: org_pb2.ORG_STATE_INACTIVE}

_PROOFS: Final = {
    None: org_service_pb2.DOMAIN_VALIDATION_TYPE_UNSPECIFIED,
    Proof.HTTP: org_service_pb2.DOMAIN_VALIDATION_TYPE_HTTP,
    Proof.DNS: org_service_pb2.DOMAIN_VALIDATION_TYPE_DNS,
}
PROOFS: Final = {number: proof for proof, number in _PROOFS.items() if proof}


def org_message(org: Org) -> org_pb2.Org:
    """What is shown of an organization."""
    return org_pb2.Org(
        id=org.id,
        details=details_of(org),
        state=STATES[org.state],
        name=org.name,
        primary_domain=org.primary_domain,
    )


def domain_messages(org: Org) -> Iterator[org_service_pb2.Domain]:
    """Its domains, the primary one first."""
    details = details_of(org)
    yield org_service_pb2.Domain(
        org_id=org.id, details=details, domain_name=org.primary_domain, is_verified=True, is_primary=True
    )
    for domain in org.domains:
        yield org_service_pb2.Domain(
            org_id=org.id,
            details=details,
            domain_name=domain.name,
            is_verified=domain.verified,
            validation_type=_PROOFS[domain.proof],
        )
