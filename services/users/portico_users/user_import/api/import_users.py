from __future__ import annotations

from typing import Final

from portico_contracts.generated.portico.management.v1 import user_import_pb2 as pb
from portico_contracts.users import ImportUsers, RowOutcome

from portico_users.administrators.permissions import Permission
from portico_users.management_api.transport.call import Call
from portico_users.organizations.org import Org
from portico_users.user_import.commands.user_import import UserImport

_OUTCOMES: Final = {
    "created": pb.IMPORT_OUTCOME_CREATED,
    "exists": pb.IMPORT_OUTCOME_EXISTS,
    "refused": pb.IMPORT_OUTCOME_REFUSED,
}


async def import_human_users(
    call: Call[Org], request: pb.ImportHumanUsersRequest, *, user_import: UserImport
) -> pb.ImportHumanUsersResponse:
    rows = ImportUsers(
        rows=tuple(request.rows),
        org_id=call.target.subject.id,
        check=request.dry_run,
        import_id=request.import_id,
    )
    may_join = call.caller.may(Permission.USER_GRANT_WRITE, call.target.org_id)
    imported = await user_import.import_own(rows, actor=call.caller.user_id, may_join=may_join)
    return pb.ImportHumanUsersResponse(result=[_result(row) for row in imported.rows])


def _result(row: RowOutcome) -> pb.ImportedHumanUser:
    return pb.ImportedHumanUser(
        outcome=_OUTCOMES[row.status],
        user_id=row.user_id,
        problems=[pb.ImportProblem(field=one.field, id=one.id, text=one.text) for one in row.problems],
        retry=row.retry,
    )
