"""The cost of lists and searches depends only on the page, however many objects are stored; checked by database
profiling.
"""

from __future__ import annotations

import secrets
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from itertools import product
from typing import Any, Final

import pytest
from portico_contracts.users import AuthMethod
from portico_fakes.management_api import call_as
from portico_harness.servers import RunningMongo, running_mongo
from portico_runtime.mongo.client import MongoClient, database_name
from portico_users.administrators.member import MEMBERS, Member
from portico_users.administrators.permissions import Scope
from portico_users.applications.app_record import App
from portico_users.applications.store import APPS
from portico_users.end_users.end_user import EndUser, Invitation
from portico_users.end_users.idp_links import IdpLink
from portico_users.end_users.store import HUMANS
from portico_users.grants.role_grants import RoleGrant
from portico_users.journal.event_recorder import EventRecorder, event_of
from portico_users.organizations.org import ORGS, Org
from portico_users.projects.project import Project
from portico_users.projects.project_grants import PROJECT_GRANTS, ProjectGrant
from portico_users.projects.store import PROJECTS
from portico_users.storage.entry import Entry
from portico_users.values.records import State
from pymongo import MongoClient as AdminClient

pytestmark = pytest.mark.servers

PEOPLE: Final = 2_000
OTHERS: Final = 300
LIMIT: Final = 20
FEW: Final = 5 * LIMIT
"""Documents that may be read for a page: its own, those with names, and some skipped as deleted."""
PROFILE_BYTES: Final = 32 * 2**20
"""Enough for all calls; a full profile overwrites its oldest rows."""

V2: Final = "portico.user.v2.UserService"
MANAGEMENT: Final = "portico.management.v1"
ADMIN: Final = "portico.admin.v1"
SORTED: Final = (
    "UNSPECIFIED",
    "USER_NAME",
    "FIRST_NAME",
    "LAST_NAME",
    "NICK_NAME",
    "DISPLAY_NAME",
    "EMAIL",
    "STATE",
    "TYPE",
    "CREATION_DATE",
    "LAST_SIGN_IN",
)
FILTERS: Final = (
    *({"situationQuery": {"situation": f"USER_SITUATION_{one}"}} for one in ("INVITED", "WITHOUT_SECOND_FACTOR")),
    {"situationQuery": {"situation": "USER_SITUATION_NEVER_SIGNED_IN"}},
    {"roleQuery": {"projectId": "shop", "roleKey": "reader"}},
    {"externalIdQuery": {"idpId": "corp", "externalId": "3"}},
)
"""Each user of a hundred meets them, but the third, which nearly all do."""

TEXTS: Final = (
    ("userNameQuery", "userName", "User0"),
    ("firstNameQuery", "firstName", "First0"),
    ("lastNameQuery", "lastName", "Last0"),
    ("nickNameQuery", "nickName", "Nick0"),
    ("displayNameQuery", "displayName", "Shown0"),
    ("emailQuery", "emailAddress", "mail0"),
)
INDEXED: Final = ("EQUALS", "STARTS_WITH")
EVENT_CONDITIONS: Final[tuple[tuple[str, dict[str, Any]], ...]] = (
    ("iam", {"editorUserId": "system"}),
    ("owner", {"editorUserId": "system"}),
    ("iam", {"types": ["created"]}),
    ("owner", {"types": ["deleted"]}),
    ("owner", {"types": ["deleted", "created"]}),
    ("iam", {"resourceOwner": "elsewhere"}),
    ("iam", {"resourceOwner": "instance", "types": ["deleted"]}),
    ("iam", {"activities": ["users.locked"]}),
    ("owner", {"activities": ["users.created"]}),
    ("iam", {"errorId": "AUTHZ-005"}),
    ("owner", {"errorId": "AUTHZ-005"}),
    ("owner", {"userId": "system"}),
    ("iam", {"userId": "system"}),
    ("owner", {"aggregateTypes": ["users"], "since": "1970-01-01T00:20:00Z", "before": "1970-01-01T00:30:00Z"}),
)
"""Filters of events. Of several filters one uses an index, and the documents it finds are compared."""

WORDS: Final = ("first17x", "shown123 mail123", "SHOWN1234X example", "shown1991x user1991x", "no such words")

SCANNED: Final = (
    "EQUALS_IGNORE_CASE",
    "STARTS_WITH_IGNORE_CASE",
    "CONTAINS",
    "CONTAINS_IGNORE_CASE",
    "ENDS_WITH",
    "ENDS_WITH_IGNORE_CASE",
)


@pytest.fixture(scope="module")
def own_mongo(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningMongo]:
    """A separate MongoDB, whose profile contains only these calls."""
    with running_mongo(tmp_path_factory.mktemp("profiled")) as server:
        yield server


@pytest.fixture(scope="module")
async def users_mongo(own_mongo: RunningMongo) -> AsyncIterator[MongoClient]:
    client = MongoClient(own_mongo.section("users"), "users")
    yield client
    await client.close()


@pytest.fixture(scope="module")
def mongo_admin(own_mongo: RunningMongo) -> Iterator[AdminClient[dict[str, Any]]]:
    password = own_mongo.password("operator")
    client = AdminClient[dict[str, Any]](own_mongo.url, username="operator", password=password)
    with client:
        yield client


class Profile:
    """The profile of the database, which is on for all calls."""

    def __init__(self, client: AdminClient[dict[str, Any]]) -> None:
        database = client[database_name("users")]
        self._rows = database.create_collection("system.profile", capped=True, size=PROFILE_BYTES)
        self._seen = 0
        database.command("profile", 2, filter={"planSummary": {"$exists": True}})

    @contextmanager
    def of_call(self) -> Iterator[list[dict[str, Any]]]:
        """Yields the reads of calls in the block; complete at its end. There are no other calls between blocks."""
        reads: list[dict[str, Any]] = []
        yield reads
        new = self._rows.find().skip(self._seen).to_list()
        self._seen += len(new)
        reads += [row for row in new if row["ns"] != self._rows.full_name]


@pytest.fixture
def profile(mongo_admin: AdminClient[dict[str, Any]]) -> Profile:
    return Profile(mongo_admin)


def users_of(tag: str, org_id: str, number: int) -> list[EndUser]:
    """All names are different except the first; every tenth user is deleted."""
    return [
        EndUser(
            id=f"many-{one}-{org_id}",
            org_id=org_id,
            state=State.DELETED if one % 10 == 9 else State.ACTIVE,
            created=float(one),
            changed=float(one),
            sequence=1,
            user_name=f"User{one}x-{org_id}",
            first_name=f"First{one}x",
            last_name=f"Last{one}x",
            nick_name=f"Nick{one}x",
            display_name=f"Shown{one}x",
            email=f"mail{one}x-{tag}@mail.example",
            **(rare(one, org_id) if one % 100 == 3 else {"has_totp": True}),
        )
        for one in range(number)
    ]


def rare(number: int, org_id: str) -> dict[str, Any]:
    links = (IdpLink(idp_id="corp", user_id=f"{number}-{org_id}", user_name="x"),)
    roles = (RoleGrant(project_id="shop", org_id=org_id, role_keys=("reader",)),)
    return {"invitation": Invitation(sent=1.0, until=2.0), "grants": roles, "idp_links": links}


def app_of(id: str, org_id: str, project_id: str, members: dict[str, Any]) -> App:
    names: dict[str, Any] = {"name": f"A {id}", "client_id": f"c{id}", "auth_method": AuthMethod.NONE}
    return App(id=f"a{id}", org_id=org_id, project_id=project_id, **names, **members)


def member_of(id: str, org_id: str, person: EndUser, members: dict[str, Any]) -> Member:
    place: dict[str, Any] = {"scope": Scope.ORGANIZATION, "scope_id": org_id, "roles": ("ORG_OWNER",)}
    return Member(id=f"m{id}", org_id=org_id, user_id=person.id, **place, **members)


def grant_of(id: str, org_id: str, project_id: str, members: dict[str, Any]) -> ProjectGrant:
    to: dict[str, Any] = {"granted_org_id": f"o{id}", "role_keys": ("reader",)}
    return ProjectGrant(id=f"g{id}", org_id=org_id, project_id=project_id, **to, **members)


@pytest.fixture
async def crowded(managed: Any) -> Any:
    database = managed.users.parts.mongo.database
    org, other, project = managed.org_id, managed.other_org_id, f"p-owner-{managed.tag}"
    await managed.furnish("owner")
    people = [*users_of(managed.tag, org, PEOPLE), *users_of(managed.tag, other, OTHERS)]
    known: dict[str, Any] = {"state": State.ACTIVE, "sequence": 1}
    numbered = [(f"{number}-{managed.tag}", {**known, "created": float(number)}) for number in range(OTHERS)]
    members = zip(people, numbered, strict=False)
    many: list[tuple[Any, list[Any]]] = [
        (HUMANS, people),
        (
            ORGS,
            [Org(id=f"o{id}", org_id=f"o{id}", name=id, primary_domain=f"o{id}.example", **m) for id, m in numbered],
        ),
        (PROJECTS, [Project(id=f"p{id}", org_id=org, name=f"P {id}", **m) for id, m in numbered]),
        (APPS, [app_of(id, org, project, m) for id, m in numbered]),
        (MEMBERS, [member_of(id, org, person, m) for person, (id, m) in members]),
        (PROJECT_GRANTS, [grant_of(id, org, project, m) for id, m in numbered]),
    ]
    for table, records in many:
        await database[table.name].insert_many([table.document(record) for record in records])
    recorder = EventRecorder(managed.users.clock, secrets.token_bytes)
    events = [recorder.to_event(Entry(HUMANS, None, person), person, "system") for person in people]
    await database["events"].insert_many(
        [event_of(Entry(HUMANS, None, one), one, event) for one, event in zip(people, events, strict=True)]
    )
    return managed


def listed(world: Any) -> list[tuple[str, str, dict[str, Any], str]]:
    """Every list that grows with the stored objects: caller, method, request and path."""
    page = {"limit": LIMIT}
    users: list[tuple[str, str, dict[str, Any], str]] = [
        (by, f"{V2}.ListUsers", {"query": {**page, "asc": asc}, "sortingColumn": f"USER_FIELD_NAME_{column}"}, "")
        for by in ("iam", "owner")
        for column in SORTED
        for asc in (True, False)
    ]
    project = f"/management/v1/projects/p-owner-{world.tag}"
    others: list[tuple[str, str, dict[str, Any], str]] = [
        ("iam", f"{V2}.ListUsers", {"query": {"limit": LIMIT, "offset": 1_000, "asc": True}}, ""),
        ("owner", f"{V2}.ListUsers", {"query": {"limit": LIMIT, "offset": 1_000, "asc": True}}, ""),
        ("iam", f"{ADMIN}.OrganizationService.ListOrgs", {"query": page}, ""),
        ("owner", f"{MANAGEMENT}.UserService.ListUsers", {"query": page}, ""),
        ("owner", f"{MANAGEMENT}.ProjectService.ListProjects", {"query": page}, ""),
        ("owner", f"{MANAGEMENT}.AppService.ListApps", {"query": page}, f"{project}/apps/_search"),
        ("owner", f"{MANAGEMENT}.MemberService.ListOrgMembers", {"query": page}, ""),
        ("owner", f"{MANAGEMENT}.ProjectGrantService.ListProjectGrants", {"query": page}, f"{project}/grants/_search"),
        ("owner", f"{MANAGEMENT}.ProjectGrantService.ListAllProjectGrants", {"query": page}, ""),
        ("owner", f"{MANAGEMENT}.ProjectGrantService.ListGrantedProjects", {"query": page}, ""),
        ("owner", f"{MANAGEMENT}.IDPService.ListOrgIDPs", {"query": page}, ""),
        ("iam", f"{ADMIN}.IDPService.ListIDPs", {"query": page}, ""),
        ("owner", f"{MANAGEMENT}.WebhookService.ListWebhooks", {"query": page}, ""),
        ("iam", f"{MANAGEMENT}.EventService.ListEvents", {"query": page}, ""),
        ("owner", f"{MANAGEMENT}.EventService.ListEvents", {"query": page}, ""),
        ("owner", f"{MANAGEMENT}.EventService.ListEvents", {"query": page, "aggregateTypes": ["users"]}, ""),
        ("owner", f"{MANAGEMENT}.EventService.ListEvents", {"query": page, "aggregateTypes": ["idps", "apps"]}, ""),
        ("iam", f"{MANAGEMENT}.EventService.ListEvents", {"query": page, "aggregateTypes": ["apps"]}, ""),
        ("iam", f"{MANAGEMENT}.EventService.ListEvents", {"query": page, "editorUserId": "nobody"}, ""),
        ("iam", f"{MANAGEMENT}.EventService.ListEvents", {"query": page, "since": "1970-01-01T00:20:00Z"}, ""),
        *((by, f"{MANAGEMENT}.EventService.ListEvents", {"query": page, **one}, "") for by, one in EVENT_CONDITIONS),
    ]
    return [*users, *others]


async def test_lists_and_searches_read_only_the_documents_of_a_page(crowded: Any, profile: Profile) -> None:
    """No collection is scanned; one test for all, because the crowd takes more time than the calls."""
    wrong = [
        *await wasteful_lists(crowded, profile),
        *await wasteful_searches(crowded, profile),
        *await wasteful_word_searches(crowded, profile),
        *await wasteful_filters(crowded, profile),
    ]

    assert wrong == []


async def wasteful_lists(crowded: Any, profile: Profile) -> list[tuple[Any, ...]]:
    """Finds lists that sort in memory, in any order, at the start or deep in the list."""
    wrong = []
    for by, method, body, path in listed(crowded):
        with profile.of_call() as reads:
            response = await call_as(crowded, method, body, by=by, **({"path": path} if path else {}))
        assert response.code == 0, (method, response.body)
        assert reads, method
        wrong += [(by, method, body, plan_of(read)) for read in reads if is_wasteful(read)]
    return wrong


async def wasteful_searches(crowded: Any, profile: Profile) -> list[tuple[Any, ...]]:
    """Finds equality and prefix searches without an index, and substring searches that read other documents than
    those whose index keys match.
    """
    wrong = []
    for by in ("iam", "owner"):
        for query, field, text in TEXTS:
            for method in (*INDEXED, *SCANNED):
                value = text.upper() if "IGNORE" in method else text
                condition = {field: value, "method": f"TEXT_QUERY_METHOD_{method}"}
                with profile.of_call() as reads:
                    body = {"query": {"limit": LIMIT}, "queries": [{query: condition}]}
                    response = await call_as(crowded, f"{V2}.ListUsers", body, by=by)
                assert response.code == 0, response.body
                many = method in INDEXED and any(read.get("keysExamined", 0) > FEW for read in reads)
                wrong += [(by, query, method, plan_of(read)) for read in reads if many or is_wasteful(read, sorts=True)]
    return wrong


async def wasteful_word_searches(crowded: Any, profile: Profile) -> list[tuple[Any, ...]]:
    """Finds searches by words that read more people than those with the rarest word, however common the others are."""
    wrong = []
    for text in WORDS:
        for by in ("iam", "owner"):
            with profile.of_call() as reads:
                body = {"query": {"limit": LIMIT}, "queries": [{"wordsQuery": {"text": text}}]}
                response = await call_as(crowded, f"{V2}.ListUsers", body, by=by)
            assert response.code == 0, response.body
            wrong += [(by, text, plan_of(read)) for read in reads if is_wasteful(read, sorts=True)]
    return wrong


async def wasteful_filters(crowded: Any, profile: Profile) -> list[tuple[Any, ...]]:
    """Finds filters that read the users who do not meet them."""
    wrong = []
    for by, one, column in product(("iam", "owner"), FILTERS, ("DISPLAY_NAME", "LAST_SIGN_IN")):
        with profile.of_call() as reads:
            sorting = {"query": {"limit": LIMIT, "asc": True}, "sortingColumn": f"USER_FIELD_NAME_{column}"}
            response = await call_as(crowded, f"{V2}.ListUsers", {**sorting, "queries": [one]}, by=by)
        assert response.code == 0, response.body
        wrong += [(by, one, column, plan_of(read)) for read in reads if is_wasteful(read, sorts=True)]
    return wrong


def is_wasteful(read: dict[str, Any], *, sorts: bool = False) -> bool:
    scanned = "COLLSCAN" in read["planSummary"] or read.get("docsExamined", 0) > FEW
    return scanned or (read.get("hasSortStage", False) and not sorts)


def plan_of(read: dict[str, Any]) -> tuple[Any, ...]:
    return (
        read["ns"],
        read["planSummary"],
        read.get("docsExamined"),
        read.get("keysExamined"),
        str(read["command"])[:300],
    )
