"""Lists narrowed by words: any word, in any case, with or without accents."""

from __future__ import annotations

from typing import Any

import pytest
from portico_fakes.management_api import call_as
from portico_users.accounts import search

pytestmark = pytest.mark.servers

MANAGEMENT = "portico.management.v1"


@pytest.fixture
async def people(managed: Any) -> Any:
    names = {"grace": ("Gräce Brewster", "Hopper"), "jose": ("José", "Ñandú"), "yamada": ("太郎", "山田")}
    for name, (first, last) in names.items():
        body = managed.new_human(name, profile={"firstName": first, "lastName": last, "nickName": f"Nick-{name}"})
        body["phone"] = {"phone": "+41791234567"} if name == "grace" else {"phone": "+4915112345678"}
        assert (await managed.add(body)).code == 0
    return managed


async def found(world: Any, text: str, *, by: str = "owner") -> list[str]:
    body = {"queries": [{"wordsQuery": {"text": text}}]}
    response = await call_as(world, f"{MANAGEMENT}.UserService.ListUsers", body, by=by)
    assert response.code == 0, response.body
    return sorted(one["id"].removesuffix(f"-{world.tag}") for one in response.body.get("result", ()))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("HOPPER", ["grace"]),
        ("hop GRÄCE", ["grace"]),
        ("brewster", ["grace"]),
        ("nandu", ["jose"]),
        ("nick", ["grace", "jose", "yamada"]),
        ("nick jose", ["jose"]),
        ("grace jose", []),
        ("郎", ["yamada"]),
        ("079 123 45 67", ["grace"]),
        ("opper", ["grace"]),
        ("pp", []),
        ("ew gra", []),
        ("rew gra", ["grace"]),
        ("...", []),
        (".* $where", []),
    ],
)
async def test_list_of_users_is_narrowed_by_words(people: Any, text: str, expected: list[str]) -> None:
    """All typed words must find words of the user; text is never a pattern (MG-10)."""
    assert await found(people, text) == expected


async def test_renamed_user_is_found_by_the_new_name_only(people: Any) -> None:
    """The words change in the same write as the name."""
    path = f"/management/v1/users/grace-{people.tag}/profile"
    body = {"firstName": "Amazing", "lastName": "Grace", "displayName": "Amazing Grace"}
    assert (await call_as(people, f"{MANAGEMENT}.UserService.UpdateHumanProfile", body, path=path)).code == 0

    assert [await found(people, text) for text in ("hopper", "amazing")] == [[], ["grace"]]


@pytest.mark.parametrize(
    ("method", "path", "by", "text", "expected"),
    [
        (
            "AppService.ListApps",
            "/management/v1/projects/p-owner-{tag}/apps/_search",
            "owner",
            "WEB",
            "app-owner-{tag}",
        ),
        ("ProjectService.ListProjects", "", "owner", "OWNER project", "p-owner-{tag}"),
    ],
)
async def test_other_lists_are_narrowed_by_words(
    managed: Any, method: str, path: str, by: str, text: str, expected: str
) -> None:
    """Applications and projects are found as users are."""
    await managed.furnish("owner")
    more = {"path": path.format(tag=managed.tag)} if path else {}
    body = {"queries": [{"wordsQuery": {"text": text}}]}
    response = await call_as(managed, f"{MANAGEMENT}.{method}", body, by=by, **more)

    assert [one["id"] for one in response.body["result"]] == [expected.format(tag=managed.tag)]


async def test_organizations_are_narrowed_by_words(managed: Any) -> None:
    """An organization is found by its name and its domains."""
    body = {"queries": [{"wordsQuery": {"text": f"{managed.tag} ORG"}}]}
    response = await call_as(managed, "portico.admin.v1.OrganizationService.ListOrgs", body, by="iam")

    assert managed.org_id in [one["id"] for one in response.body["result"]]


async def test_other_organizations_are_not_found(people: Any) -> None:
    """A search finds no user of an organization that the caller may not read (MG-04)."""
    assert await found(people, f"grace-{people.tag}", by="foreign") == []


@pytest.mark.parametrize("by", ["owner", "iam"])
async def test_broad_search_keeps_every_order(people: Any, monkeypatch: pytest.MonkeyPatch, by: str) -> None:
    """With many matches users are read in the order of the list; the result is the same as with few."""
    method = "portico.user.v2.UserService.ListUsers"
    body: dict[str, Any] = {"queries": [{"wordsQuery": {"text": f"{people.tag} mail"}}], "query": {"asc": True}}
    for column in ("UNSPECIFIED", "USER_NAME", "LAST_NAME", "DISPLAY_NAME", "EMAIL", "STATE", "TYPE"):
        sorted_body = {**body, "sortingColumn": f"USER_FIELD_NAME_{column}"}
        few = await call_as(people, method, sorted_body, by=by)
        with monkeypatch.context() as broad:
            broad.setattr(search, "_SORTED", 0)
            many = await call_as(people, method, sorted_body, by=by)

        assert (few.code, many.code) == (0, 0), column
        assert [one["userId"] for one in many.body["result"]] == [one["userId"] for one in few.body["result"]]
