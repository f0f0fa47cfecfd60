"""Stored markup stays text: every screen with markup in every text of the management API."""

from __future__ import annotations

import json
import re
from typing import Any

import httpx
import pytest
from google.protobuf.descriptor import FieldDescriptor
from portico_console.console_app.screens.screen import Screen
from portico_console.console_app.screens.table import SCREENS
from portico_contracts.management import METHODS
from portico_fakes.console_service import Answer, ConsoleService

HOSTILE = (
    "javascript:alert(1)//<img/src=x/onerror=alert(1)>\"'><script>alert(1)</script>"
    "{{7*7}}{%raw%}</title><svg/onload=alert(1)>"
)
"""A URL, which begins with its scheme and has no spaces, and all other markup."""

_DEPTH = 5
_HREF = re.compile(r'(?:href|action|formaction|src)="([^"]*)"')
_KNOWN = {"google.protobuf.Timestamp": "2026-11-23T10:00:00Z", "google.protobuf.Duration": "60s"}
_PLAIN: dict[int, Any] = {
    FieldDescriptor.TYPE_BOOL: True,
    FieldDescriptor.TYPE_BYTES: "PGI+",
    FieldDescriptor.TYPE_INT32: 1,
    FieldDescriptor.TYPE_UINT32: 1,
}
"""The values of other types; JSON has 64-bit numbers as text, and 32-bit ones as numbers."""

PERMISSIONS = "portico.management.v1.CallerService/ListMyPermissions"


def hostile_message(descriptor: Any, text: str, depth: int = _DEPTH) -> dict[str, Any]:
    """Builds a message with the text in every text field and one element in every list."""
    found: dict[str, Any] = {}
    for field in descriptor.fields:
        value = _value(field, text, depth)
        if value is not None:
            found[field.json_name] = [value] if field.is_repeated else value
    return found


def _value(field: Any, text: str, depth: int) -> Any:
    if field.message_type is not None:
        name = field.message_type.full_name
        if name.startswith("google."):
            return _KNOWN.get(name)
        return hostile_message(field.message_type, text, depth - 1) if depth else None
    if field.enum_type is not None:
        return field.enum_type.values[-1].name
    if field.type == FieldDescriptor.TYPE_STRING:
        return text
    return _PLAIN.get(field.type, "1")


def answering(console: ConsoleService, text: str) -> None:
    """Answers every read with the text and grants every permission."""
    needed = {method.permission.name for method in METHODS.values()} - {""}
    held = [{"permission": one, "roles": [text], "everywhere": True} for one in sorted(needed)]
    for method in METHODS.values():
        if method.name.rpartition(".")[2].startswith(("Get", "List", "Count")):
            body = json.dumps(hostile_message(method.response.DESCRIPTOR, text)).encode()
            console.provider.answers[method.path.removeprefix("/")] = _answer(body)
    mine = {"org": {"id": "o1", "name": text}, "permissions": held, "instance": True}
    console.provider.answers[PERMISSIONS] = lambda _fields, _request: httpx.Response(200, json=mine)


def _answer(body: bytes) -> Answer:
    return lambda _fields, _request: httpx.Response(200, content=body)


def addresses(screen: Screen) -> list[str]:
    """Returns the addresses of the list, the object and every action."""
    parts = dict.fromkeys(re.findall(r"\{(\w+)\}", screen.object_path), "x")
    found = [screen.path] if screen.listing else []
    found += [screen.object_path] if screen.part or not screen.listing else []
    found += [f"{screen.path}/do/{one.word}" for one in screen.create if not one.at]
    if screen.getting is not None:
        found += [f"{screen.object_path}/do/{one.word}" for one in screen.actions]
    return ["/ui/console" + one.format_map(parts) for one in found]


_USER = "/ui/console/orgs/x/users/x"
BY_HAND = [
    "/ui/console/api",
    "/ui/console/orgs/x",
    "/ui/console/orgs/x/audit",
    "/ui/console/orgs/x/search?q=x",
    "/ui/console/orgs/x/providers/new",
    "/ui/console/orgs/x/users/do/new",
    "/ui/console/instance/audit",
    f"{_USER}/sign-in",
    f"{_USER}/access",
    f"{_USER}/history",
    f"{_USER}/lost-device",
]


@pytest.mark.slow
async def test_markup_in_responses_is_text_on_every_page(console: ConsoleService, browser: httpx.AsyncClient) -> None:
    """Neither a tag nor a script URL results, and the policy forbids both anyway."""
    answering(console, HOSTILE)
    await console.sign_in(browser, "/ui/console")
    wrong, shown, pages = [], 0, 0
    for path in [one for screen in SCREENS for one in addresses(screen)] + BY_HAND:
        page = await browser.get(path)
        assert page.status_code in (200, 404), f"{path}: {page.status_code}"
        pages += 1
        shown += "&lt;" in page.text
        raw = any(tag in page.text for tag in ("<img/src=x", "<script>alert", "<svg/onload"))
        linked = any(href.lower().startswith("javascript:") for href in _HREF.findall(page.text))
        if raw or linked or any("49" in one for one in re.findall(r"<h1[^>]*>(.*?)</h1>", page.text, re.DOTALL)):
            wrong.append(path)
        policy = page.headers["content-security-policy"]
        assert "unsafe" not in policy
        assert "frame-ancestors 'none'" in policy

    assert wrong == []
    assert pages > 200
    assert shown > 100
