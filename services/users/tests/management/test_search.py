"""Search over all kinds of objects, within what the caller may read."""

from __future__ import annotations

from typing import Any

import pytest
from portico_fakes.management_api import ApiResponse, call_as
from portico_users.administrators.member import MEMBERS, Member
from portico_users.administrators.permissions import Scope
from portico_users.applications.store import APPS
from portico_users.search import search as module

pytestmark = pytest.mark.servers

SEARCH = "portico.management.v1.SearchService.Search"


@pytest.fixture
async def world(managed: Any) -> Any:
    await managed.furnish("owner")
    body = managed.new_human("grace", profile={"firstName": "Gräce", "lastName": "Hopper", "nickName": "Amazing"})
    body["phone"] = {"phone": "+41791234567"}
    assert (await managed.add(body)).code == 0
    strange = managed.new_human("stranger", profile={"firstName": "Grace", "lastName": "Stranger"})
    assert (await managed.add(strange, by="foreign")).code == 0
    return managed


async def search(world: Any, query: str, *, by: str = "owner", org: str = "", **more: Any) -> ApiResponse:
    headers = {"x-zitadel-orgid": org} if org else {}
    body = {"query": query, "limit": 50, **more}
    return await call_as(world, SEARCH, body, by=by, **({"headers": headers} if org else {}))


async def found(world: Any, query: str, **more: Any) -> list[tuple[str, str]]:
    response = await search(world, query, **more)
    assert response.code == 0, response.body
    ids = [(one["kind"].removeprefix("SEARCH_KIND_"), one["id"]) for one in response.body.get("result", ())]
    return [(kind, id.removesuffix(f"-{world.tag}")) for kind, id in ids if world.tag in id]


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("{tag} HOPPER", [("HUMAN", "grace")]),
        ("grace hop", [("HUMAN", "grace")]),
        ("opper {tag}", [("HUMAN", "grace")]),
        ("race-{tag}@mail.exam", [("HUMAN", "grace")]),
        ("roject own", [("PROJECT", "p-owner")]),
        ("grace-{tag}@mail.example", [("HUMAN", "grace")]),
        ("bot-owner-{tag}", [("SERVICE_USER", "bot-owner")]),
        ("project OWNER", [("PROJECT", "p-owner")]),
        ("org-{tag}", [("ORG", "org")]),
        ("app-owner-{tag}", [("APP", "app-owner")]),
        ("group-owner-{tag}", [("GROUP", "group-owner")]),
        ("grace-{tag}", [("HUMAN", "grace")]),
        ("no such words {tag}", []),
        ("?!", []),
    ],
)
async def test_objects_of_all_kinds_are_found(world: Any, query: str, expected: list[tuple[str, str]]) -> None:
    """Words of any case, an address, and the id of a user, a project, an application and an organization."""
    assert await found(world, query.format(tag=world.tag)) == expected


async def test_client_id_is_found(world: Any) -> None:
    """A client id is found in full, and by its beginning."""
    app = await world.users.parts.mongo.database[APPS.name].find_one({"_id": f"app-owner-{world.tag}"})
    for query in (app["clientId"], app["clientId"][:12]):
        assert ("APP", "app-owner") in await found(world, query)


async def test_result_shows_why_it_was_found(world: Any) -> None:
    """The matching words as written, and the value of a field that is not shown otherwise."""
    response = await search(world, "gra 079 123 45 67")
    by_phone = await search(world, "+41 79 123")
    by_name = await search(world, "GRACE amazing", org=world.org_id)

    assert "result" not in response.body
    [result] = [one for one in by_phone.body["result"] if world.tag in one["id"]]
    assert (result["title"], result["otherMatch"]) == ("Gräce Hopper", "+41791234567")
    [result] = by_name.body["result"]
    assert (result["matched"], result["otherMatch"]) == (["Gräce", "grace"], "Amazing")
    assert (result["orgId"], result["orgName"]) == (world.org_id, world.org_id)


@pytest.mark.parametrize(
    ("by", "expected"),
    [("owner", ["grace"]), ("viewer", ["grace"]), ("foreign", ["stranger"]), ("iam", ["grace", "stranger"])],
)
async def test_search_covers_what_the_caller_may_read(world: Any, by: str, expected: list[str]) -> None:
    """Owners find users of their organization only, administrators of the instance those of all (MG-04)."""
    assert sorted(id for _, id in await found(world, f"grace {world.tag}", by=by)) == expected


@pytest.mark.parametrize("by", ["robot", "self"])
async def test_caller_without_roles_finds_nothing(world: Any, by: str) -> None:
    """Users without a role find neither objects of their organization nor themselves, also not by exact ids."""
    for query in ("grace", f"grace-{world.tag}", f"self-{world.tag}", world.org_id, f"p-owner-{world.tag}"):
        assert await found(world, query, by=by) == []


async def test_exact_ids_of_other_organizations_are_not_found(world: Any) -> None:
    """An id of another organization looks like an unknown one."""
    app = await world.users.parts.mongo.database[APPS.name].find_one({"_id": f"app-owner-{world.tag}"})
    for query in (
        f"grace-{world.tag}",
        world.org_id,
        f"p-owner-{world.tag}",
        f"app-owner-{world.tag}",
        app["clientId"],
    ):
        assert {id for _, id in await found(world, query, by="foreign")} <= {"stranger"}
    assert ("PROJECT", "p-owner") in await found(world, f"p-owner-{world.tag}")


async def test_header_limits_the_search_to_one_organization(world: Any) -> None:
    """An administrator of the instance searches one organization; a caller without a role there is refused."""
    query = f"grace {world.tag}"

    assert await found(world, query, by="iam", org=world.other_org_id) == [("HUMAN", "stranger")]
    assert (await search(world, query, org=world.other_org_id)).error_code == "USER-313"


async def test_project_owner_finds_the_project_and_its_applications_only(world: Any) -> None:
    """A role in a project shows that project, but no users and no other project."""
    project = f"p-owner-{world.tag}"
    place: dict[str, Any] = {"scope": Scope.PROJECT, "scope_id": project, "roles": ("PROJECT_OWNER",)}
    member = Member(id=f"m-{world.tag}", org_id=world.org_id, user_id=f"self-{world.tag}", sequence=1, **place)
    await world.users.parts.mongo.database[MEMBERS.name].insert_one(MEMBERS.document(member))

    assert await found(world, "owner", by="self") == [
        ("APP", "api-owner"),
        ("APP", "app-owner"),
        ("PROJECT", "p-owner"),
    ]
    assert await found(world, "grace", by="self") == []
    assert await found(world, f"src-owner-{world.tag}", by="self") == []


async def test_kinds_and_number_of_results_are_limited(world: Any) -> None:
    """Only the requested kinds are searched; a kind with more results is named."""
    response = await search(world, world.tag, kinds=["SEARCH_KIND_HUMAN"], limit=1, org=world.org_id)

    assert {one["kind"] for one in response.body["result"]} == {"SEARCH_KIND_HUMAN"}
    assert (len(response.body["result"]), response.body["more"]) == (1, ["SEARCH_KIND_HUMAN"])
    bad: dict[str, Any]
    for bad in ({"limit": 51}, {"kinds": [0]}, {"kinds": [9]}, {"query": ""}, {"query": "x" * 201}):
        body = {"query": "x", **bad}
        assert (await call_as(world, SEARCH, body)).code == 3


async def test_matches_are_counted_on_request(world: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Counting stops at a limit, and the response then names a lower bound."""
    asked: dict[str, Any] = {"kinds": ["SEARCH_KIND_HUMAN"], "org": world.org_id, "count_matches": True}
    second = world.new_human("second", profile={"firstName": "Grace", "lastName": "Second"})
    assert (await world.add(second)).code == 0
    few = await search(world, world.tag, limit=2, **asked)
    of_two_words = await search(world, f"{world.tag} grac", limit=1, **asked)
    all_shown = await search(world, world.tag, **asked)
    monkeypatch.setattr(module, "COUNTED", 2)
    many = await search(world, world.tag, limit=1, **asked)
    monkeypatch.setattr(module, "COUNTED", 1)
    of_rarest = await search(world, f"{world.tag} grac", limit=1, **asked)
    beyond = await search(world, f"{world.tag} grac", limit=2, **asked)

    people = len(all_shown.body["result"])
    assert few.body["counts"] == [{"kind": "SEARCH_KIND_HUMAN", "matches": people}]
    assert of_two_words.body["counts"] == [{"kind": "SEARCH_KIND_HUMAN", "matches": 2}]
    assert "counts" not in all_shown.body
    assert many.body["counts"] == [{"kind": "SEARCH_KIND_HUMAN", "matches": 2, "atLeast": True}]
    assert of_rarest.body["counts"] == [{"kind": "SEARCH_KIND_HUMAN", "matches": 1, "atLeast": True}]
    assert len(beyond.body["result"]) == 2


async def test_names_in_order_are_found_without_comparing(world: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """With a name in the typed order only the first people with the rarest word are compared; without one, all are."""
    for name, first in (("a", "Anna"), ("b", "Anna Eva Maria"), ("e", "Eva")):
        body = world.new_human(f"berg-{name}", profile={"firstName": first, "lastName": "Berg"})
        assert (await world.add(body)).code == 0
    monkeypatch.setattr(module, "COUNTED", 1)

    for query in ("eva berg", "Berg, Eva"):
        assert await found(world, query, org=world.org_id) == [("HUMAN", "berg-e")]
    assert await found(world, "anna berg", org=world.org_id) == [("HUMAN", "berg-a"), ("HUMAN", "berg-b")]
    assert await found(world, "maria anna berg", org=world.org_id) == [("HUMAN", "berg-b")]


async def test_names_in_order_are_counted_in_the_index(world: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Other people may have the words in another order, so the number is a lower bound."""
    for number in range(6):
        body = world.new_human(f"same-{number}", profile={"firstName": "Eve", "lastName": "Samename"})
        assert (await world.add(body)).code == 0
    asked: dict[str, Any] = {"kinds": ["SEARCH_KIND_HUMAN"], "org": world.org_id, "count_matches": True}
    response = await search(world, "eve same", limit=1, **asked)
    monkeypatch.setattr(module, "COUNTED", 5)
    many = await search(world, "eve same", limit=1, **asked)

    assert response.body["counts"] == [{"kind": "SEARCH_KIND_HUMAN", "matches": 6, "atLeast": True}]
    assert many.body["counts"] == [{"kind": "SEARCH_KIND_HUMAN", "matches": 5, "atLeast": True}]


async def test_what_was_typed_comes_first(world: Any) -> None:
    """A search is by words, so other marks between them are found too, but after the typed ones."""
    for number, mark in enumerate("+._-"):
        body = world.new_human(
            f"typed{number}", username=f"zq{mark}vx-{world.tag}", profile={"firstName": "Eve", "lastName": "Z"}
        )
        assert (await world.add(body)).code == 0

    for number, mark in enumerate("+._-"):
        ids = [id for _, id in await found(world, f"zq{mark}vx-{world.tag}")]
        assert (ids[0], sorted(ids)) == (f"typed{number}", ["typed0", "typed1", "typed2", "typed3"])


async def test_best_result_comes_first(world: Any) -> None:
    """An exact id precedes whole words of the name, and these precede beginnings of words."""
    for name, last in (("a", "Adamson"), ("b", "Adam"), ("c", "Zadam")):
        body = world.new_human(f"adam-{name}", profile={"firstName": "Eve", "lastName": last})
        assert (await world.add(body)).code == 0
    zadam = world.new_human("adam", profile={"firstName": "Eve", "lastName": "Zz"})
    assert (await world.add(zadam)).code == 0

    assert await found(world, "adam eve") == [
        ("HUMAN", "adam-b"),
        ("HUMAN", "adam-a"),
        ("HUMAN", "adam-c"),
        ("HUMAN", "adam"),
    ]
    assert (await found(world, f"adam-{world.tag}"))[0] == ("HUMAN", "adam")
