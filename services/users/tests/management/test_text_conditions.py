"""Lists of users narrowed by the text of one field, with every way to compare it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import pytest
from portico_contracts.generated.portico.user.v2.user_queries_pb2 import SearchQuery
from portico_fakes.management_api import call_as

pytestmark = pytest.mark.servers

NAMES: Final = {"firstName": "Graceful", "lastName": "Hopperton", "nickName": "Amazing", "displayName": "Dr. Grace H."}
PHONE: Final = "+41791234567"
TEXTS: Final[dict[str, Callable[[str], str]]] = {
    "EQUALS": lambda text: text,
    "EQUALS_IGNORE_CASE": str.swapcase,
    "STARTS_WITH": lambda text: text[:-1],
    "STARTS_WITH_IGNORE_CASE": lambda text: text[:-1].swapcase(),
    "CONTAINS": lambda text: text[1:-1],
    "CONTAINS_IGNORE_CASE": lambda text: text[1:-1].swapcase(),
    "ENDS_WITH": lambda text: text[1:],
    "ENDS_WITH_IGNORE_CASE": lambda text: text[1:].swapcase(),
}


def texts(tag: str) -> dict[str, tuple[str, str]]:
    """The field and the text of the user, by condition."""
    names = {f"{name}Query": (name, text) for name, text in NAMES.items()}
    email = ("emailAddress", f"grace-{tag}@mail.example")
    return {
        **names,
        "userNameQuery": ("userName", f"Grace.{tag}"),
        "emailQuery": email,
        "phoneQuery": ("number", PHONE),
    }


def test_every_text_condition_is_compared() -> None:
    """A login name has two parts, which are compared in fewer ways."""
    fields: Any = SearchQuery.DESCRIPTOR.fields
    compared = {field.json_name for field in fields if "method" in field.message_type.fields_by_name}

    assert compared == {*texts(""), "loginNameQuery"}


@pytest.mark.parametrize("method", TEXTS)
async def test_user_is_found_by_text_of_any_field(managed: Any, method: str) -> None:
    """In one organization and in all of them; a text that differs at its end is not found."""
    body = managed.new_human("grace", profile=NAMES, username=f"Grace.{managed.tag}", phone={"phone": PHONE})
    assert (await managed.add(body)).code == 0

    async def found(by: str, condition: str, field: str, text: str) -> list[str]:
        query = {condition: {field: text, "method": f"TEXT_QUERY_METHOD_{method}"}}
        name = "portico.user.v2.UserService.ListUsers"
        response = await call_as(managed, name, {"queries": [query], "query": {"limit": 100}}, path="/v2/users", by=by)
        assert response.code == 0, (condition, by, response.body)
        ids = [user["userId"] for user in response.body.get("result", ())]
        return [id.removesuffix(f"-{managed.tag}") for id in ids if managed.tag in id]

    for condition, (field, whole) in texts(managed.tag).items():
        text = TEXTS[method](whole)
        for by in ("owner", "iam"):
            assert await found(by, condition, field, text) == ["grace"], (condition, by)
            assert await found(by, condition, field, f"{text}~") == [], (condition, by)
