from __future__ import annotations

import base64
from typing import Any

import pytest
from portico_fakes.management_api import ApiResponse, call_as

pytestmark = pytest.mark.servers

USER = "portico.user.v2.UserService"


def value(text: str) -> str:
    return base64.b64encode(text.encode()).decode()


async def put(managed: Any, by: str = "owner", **values: str) -> ApiResponse:
    body = {"metadata": [{"key": key, "value": value(text)} for key, text in values.items()]}
    path = f"/v2/users/self-{managed.tag}/metadata"
    return await call_as(managed, f"{USER}.SetUserMetadata", body, by=by, path=path)


async def listed(managed: Any, by: str = "owner", **members: Any) -> ApiResponse:
    path = f"/v2/users/self-{managed.tag}/metadata/search"
    return await call_as(managed, f"{USER}.ListUserMetadata", members, by=by, path=path)


async def drop(managed: Any, *keys: str) -> ApiResponse:
    path = f"/v2/users/self-{managed.tag}/metadata"
    token = managed.tokens["owner"]
    response: ApiResponse = await managed.api.json(f"{USER}.DeleteUserMetadata", {"keys": keys}, token=token, path=path)
    return response


async def test_entries_are_set_read_and_removed(managed: Any) -> None:
    """Other entries stay; the list is sorted by key."""
    await put(managed, b="1", a="2")
    changed = await put(managed, b="3")
    found = await listed(managed, pagination={"asc": True})
    await drop(managed, "a")

    assert changed.body["setDate"] == changed.body["details"]["changeDate"]
    assert found.body["metadata"] == [{"key": "a", "value": value("2")}, {"key": "b", "value": value("3")}]
    assert found.body["details"]["totalResult"] == "2"
    assert (await listed(managed)).body["metadata"] == [{"key": "b", "value": value("3")}]


async def test_filters_and_pages(managed: Any) -> None:
    """The total counts all entries that match the filters."""
    await put(managed, **{f"k{number}": "x" for number in range(4)}, other="x")
    filters = [{"keyFilter": {"key": "K", "method": "TEXT_QUERY_METHOD_STARTS_WITH_IGNORE_CASE"}}]
    found = await listed(managed, filters=filters, pagination={"offset": 1, "limit": 2, "asc": True})

    assert [entry["key"] for entry in found.body["metadata"]] == ["k1", "k2"]
    assert found.body["details"]["totalResult"] == "4"


async def test_users_read_but_do_not_write_their_metadata(managed: Any) -> None:
    """Applications trust the values, so users cannot write their own."""
    assert (await put(managed, by="self", role="admin")).code == 7
    assert (await listed(managed, by="self")).code == 0


async def test_removal_is_atomic(managed: Any) -> None:
    """No entry is removed if one of the keys does not exist."""
    await put(managed, a="1")
    refused = await drop(managed, "a", "b")

    assert (refused.code, refused.error_code, refused.fields) == (5, "USER-408", ["keys[1]"])
    assert len((await listed(managed)).body["metadata"]) == 1


async def test_unchanged_values_write_no_event(managed: Any) -> None:
    """Repeating a call writes no second event."""
    first, second = await put(managed, a="1"), await put(managed, a="1")

    assert first.body["details"] == second.body["details"]


async def test_repeated_key_is_refused(managed: Any) -> None:
    """A repeated key is refused with its path."""
    entry = {"key": "a", "value": value("1")}
    path = f"/v2/users/self-{managed.tag}/metadata"
    token, body = managed.tokens["owner"], {"metadata": [entry, entry]}
    refused = await managed.api.json(f"{USER}.SetUserMetadata", body, token=token, path=path)

    assert (refused.error_code, refused.fields) == ("USER-317", ["metadata[1].key"])


async def test_events_contain_no_values(managed: Any) -> None:
    """An event lists the metadata as changed and contains no value."""
    await put(managed, secret="plain text")
    events = await managed.users.rows("events", object=f"self-{managed.tag}")

    assert events[-1]["fields"] == ["metadata"]
    assert "metadata" not in events[-1]["values"]


async def older(managed: Any, method: str, path: str, **members: Any) -> ApiResponse:
    name = f"portico.management.v1.UserMetadataService.{method}"
    address = f"/management/v1/users/self-{managed.tag}/metadata/{path}"
    return await call_as(managed, name, members, path=address)


async def test_management_v1_paths(managed: Any) -> None:
    """The v1 paths set and remove one, several and all entries; a key may contain a slash."""
    await older(managed, "SetMetadata", "a%2Fb", value=value("1"))
    await older(managed, "BulkSetMetadata", "_bulk", metadata=[{"key": "c", "value": value("2")}])
    one = await older(managed, "GetMetadata", "a%2Fb")
    found = await older(managed, "ListMetadata", "_search", query={"asc": True})
    gone = await older(managed, "RemoveMetadata", "a%2Fb")
    emptied = await older(managed, "BulkRemoveMetadata", "_bulk", keys=["c"])

    assert (one.body["metadata"]["key"], one.body["metadata"]["value"]) == ("a/b", value("1"))
    assert [entry["key"] for entry in found.body["result"]] == ["a/b", "c"]
    assert (gone.code, emptied.code) == (0, 0)
    assert emptied.body["details"]["sequence"] == "5"
    assert (await older(managed, "GetMetadata", "c")).error_code == "USER-408"
    assert (await listed(managed)).body.get("metadata") is None
