"""Project grants as messages, and the conditions they are searched by."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from portico_contracts.generated.portico.management.v1 import project_grant_pb2 as pb
from portico_contracts.generated.portico.v1.object_pb2 import ListDetails, ListQuery

from portico_users.api.shared.details import details_of
from portico_users.api.shared.listing import AsQuestion, by_text, details_of_list, page_of, questions_of
from portico_users.directory.grants.project_grant_store import MongoProjectGrants, ShownGrant
from portico_users.kernel.entry import Document
from portico_users.kernel.records import State

_STATES: Final = {State.ACTIVE: pb.PROJECT_GRANT_STATE_ACTIVE, State.INACTIVE: pb.PROJECT_GRANT_STATE_INACTIVE}
_CONDITIONS: Final[dict[str, AsQuestion]] = {
    "project_name_query": by_text("project.name", "name"),
    "role_key_query": lambda query: {"roleKeys": query.role_key},
    "project_id_query": lambda query: {"projectId": query.project_id},
    "granted_org_id_query": lambda query: {"grantedOrgId": query.granted_org_id},
    "project_owner_query": lambda query: {"orgId": query.org_id},
}


def granted_project(shown: ShownGrant) -> pb.GrantedProject:
    """The grant, as both organizations see it."""
    grant = shown.grant
    return pb.GrantedProject(
        grant_id=grant.id,
        details=details_of(grant),
        granted_org_id=grant.granted_org_id,
        granted_org_name=shown.granted_name,
        granted_role_keys=grant.role_keys,
        state=_STATES[grant.state],
        project_id=grant.project_id,
        project_name=shown.project_name,
        project_owner_id=grant.org_id,
        project_owner_name=shown.owner_name,
    )


async def listed(
    grants: MongoProjectGrants, question: Document, query: ListQuery, queries: Iterable[pb.ProjectGrantQuery]
) -> tuple[ListDetails, list[pb.GrantedProject]]:
    """A page of grants, by the time they were made."""
    conditions = questions_of(queries, _CONDITIONS)
    found = await grants.search(question, conditions, page_of(query, "created"))
    return details_of_list(found.total), [granted_project(shown) for shown in found.grants]
