"""Messages about trusted workloads, for the API of service users and of applications."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from portico_contracts.diagnostics import WORKLOAD_TOKEN, Diagnostic
from portico_contracts.generated.portico.management.v1 import trusted_workload_pb2 as pb
from portico_web.catalogue import load_catalogue
from portico_web.languages import Language

from portico_users.catalogue import PACKAGE
from portico_users.diagnostics.store import DiagnosticStore, explained
from portico_users.management_api.protobuf.details import timestamp_of
from portico_users.management_api.protobuf.messages import message_of
from portico_users.trusted_workloads.uses import WorkloadUses
from portico_users.trusted_workloads.workload import WORKLOAD_FIELDS, TrustedWorkload


@dataclass(frozen=True, slots=True)
class WorkloadMessages:
    uses: WorkloadUses
    traces: DiagnosticStore

    def written(self, workloads: Sequence[TrustedWorkload]) -> list[pb.TrustedWorkload]:
        return [message_of(pb.TrustedWorkload, WORKLOAD_FIELDS, one) for one in workloads]

    async def last_uses(self, client_id: str, workloads: Sequence[TrustedWorkload]) -> list[pb.WorkloadUse]:
        used = await self.uses.last_uses(client_id, [one.name for one in workloads])
        return [pb.WorkloadUse(name=name, time=timestamp_of(at)) for name, at in used.items()]

    async def last_refused(self, user_id: str, app_id: str, language: Language) -> pb.RefusedWorkloadToken | None:
        """The last refused token of a service user or an application, of which only one is given."""
        trace = await self.traces.find_last(WORKLOAD_TOKEN, user_id=user_id, app_id=app_id)
        return _refused(trace, language) if trace else None


def _refused(trace: Diagnostic, language: Language) -> pb.RefusedWorkloadToken:
    token = next(check for check in trace.checks if check.name == WORKLOAD_TOKEN)
    refused = explained(trace.checks[-1])
    return pb.RefusedWorkloadToken(
        time=timestamp_of(trace.at),
        request_id=trace.request_id,
        claims=token.wanted,
        reason=load_catalogue(PACKAGE, language.tag).gettext(refused.hint) if refused.hint else "",
        given=refused.check.given,
        wanted=refused.check.wanted,
    )
