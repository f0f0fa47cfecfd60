from __future__ import annotations

from typing import Any

import pytest
from google.protobuf.message import Message
from portico_contracts.generated.portico.admin.v1.org_service_pb2 import OrgQuery
from portico_contracts.generated.portico.management.v1.app_service_pb2 import AppQuery
from portico_contracts.generated.portico.management.v1.member_pb2 import MemberQuery
from portico_contracts.generated.portico.management.v1.project_service_pb2 import ProjectQuery, ProjectRoleQuery
from portico_contracts.generated.portico.management.v1.user_grant_service_pb2 import UserGrantQuery
from portico_contracts.generated.portico.v1.object_pb2 import ListQuery, TextQueryMethod
from portico_users.administrators.api import members
from portico_users.applications.api import applications as apps
from portico_users.grants.api import user_grants
from portico_users.management_api.protobuf.listing import meets, page_out_of, text_condition
from portico_users.organizations.api import organizations as orgs
from portico_users.projects.api import projects

LISTS: list[tuple[type[Message], dict[str, Any]]] = [
    (AppQuery, dict(apps.CONDITIONS)),
    (MemberQuery, dict(members._CONDITIONS)),
    (OrgQuery, dict(orgs._CONDITIONS)),
    (ProjectQuery, dict(projects._CONDITIONS)),
    (ProjectRoleQuery, dict(projects._ROLE_CONDITIONS)),
    (UserGrantQuery, dict(user_grants._CONDITIONS)),
]


@pytest.mark.parametrize(("query", "known"), LISTS, ids=lambda item: getattr(item, "__name__", ""))
def test_every_query_condition_is_supported(query: type[Message], known: dict[str, Any]) -> None:
    """A condition that is offered and not supported would be an internal error."""
    oneof: Any = query.DESCRIPTOR.oneofs_by_name["query"]

    assert {field.name for field in oneof.fields} == set(known)


@pytest.mark.parametrize(
    ("method", "text", "found"),
    [
        ("EQUALS", "Writer", True),
        ("EQUALS", "writer", False),
        ("EQUALS", "Writer\n", False),
        ("EQUALS_IGNORE_CASE", "wRITER", True),
        ("STARTS_WITH", "Wri", True),
        ("STARTS_WITH", "rit", False),
        ("CONTAINS", "rit", True),
        ("CONTAINS", "r.t", False),
        ("CONTAINS_IGNORE_CASE", "RIT", True),
        ("ENDS_WITH", "ter", True),
        ("ENDS_WITH", "$", False),
        ("ENDS_WITH_IGNORE_CASE", "TER", True),
    ],
)
def test_in_memory_text_match_equals_the_database(method: str, text: str, found: bool) -> None:
    """Text is compared literally, without patterns (MG-10)."""
    condition = text_condition("key", text, TextQueryMethod.Value(f"TEXT_QUERY_METHOD_{method}"))

    assert meets(condition, "Writer") is found


@pytest.mark.parametrize(
    ("query", "found"),
    [
        (ListQuery(), [3, 2, 1]),
        (ListQuery(asc=True), [1, 2, 3]),
        (ListQuery(asc=True, offset=1, limit=1), [2]),
        (ListQuery(offset=2), [1]),
        (ListQuery(offset=3), []),
    ],
)
def test_in_memory_page_equals_the_database(query: ListQuery, found: list[int]) -> None:
    """The default order is descending, with at most a hundred items."""
    assert page_out_of([1, 2, 3], query) == found
    assert len(page_out_of(range(200), ListQuery())) == 100
