"""Fields of forms that are users: found by words, and chosen from the results."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from portico_oauth.errors import Kind, ServiceError, Violation
from portico_oauth.typed_text import trimmed

from portico_console.console_app.screens.screen import Action
from portico_console.forms.field import Field, Widget
from portico_console.forms.reading import Typed
from portico_console.messages import message
from portico_console.request_context import RequestContext

_SEARCH: Final = "portico.management.v1.SearchService/Search"
_BY_LOGIN_NAME: Final = "portico.management.v1.UserService/GetUserByLoginNameGlobal"
_KINDS: Final = ("SEARCH_KIND_HUMAN", "SEARCH_KIND_SERVICE_USER")
_MOST: Final = 10
_MAX_SEARCH: Final = 200
_NOT_SEARCHED: Final = frozenset({Kind.UNAVAILABLE, Kind.INVALID_REQUEST})
_NOT_FOUND: Final = frozenset({Kind.NOT_FOUND, Kind.INVALID_REQUEST, Kind.PERMISSION_DENIED})

FIND: Final = "find"
"""The button that searches, instead of sending the form."""

NOT_SELECTED: Final = message("Search for a user and select one.")
NOT_THERE: Final = message("No user matches this search.")


async def find_users(ctx: RequestContext, words: str) -> tuple[tuple[str, str], ...]:
    """Returns ids and names of the best results in this organization, or else in all that the user may read."""
    org = ctx.path.get("org", "")
    for place in dict.fromkeys((org, "")):
        found = await _search(ctx, words, place)
        if found:
            return tuple((str(one["id"]), _name(one, with_org=not place)) for one in found)
    return ()


async def _search(ctx: RequestContext, words: str, org: str) -> list[Mapping[str, Any]]:
    fields = {"query": words[:_MAX_SEARCH], "kinds": list(_KINDS), "limit": _MOST}
    try:
        found = await ctx.api.call(_SEARCH, fields, org=org)
    except ServiceError as error:
        if error.kind not in _NOT_SEARCHED:
            raise
        return []
    rows: list[Mapping[str, Any]] = found.get("result", [])
    return rows


def _name(one: Mapping[str, Any], *, with_org: bool) -> str:
    parts = (one.get("title"), one.get("subtitle"), one.get("orgName") if with_org else "")
    return " · ".join(str(part) for part in dict.fromkeys(parts) if part) or str(one["id"])


async def with_people(ctx: RequestContext, action: Action, form: Typed, typed: Mapping[str, str]) -> Typed:
    """Fills the choices by the typed words; without a choice the words must be a login name, or there is an error.

    A chosen id is never looked up as a login name: another user may have it as a user name.
    """
    fields: list[Field] = []
    violations = list(form.violations)
    sent = dict(form.message)
    for field in form.fields:
        if field.name not in action.of_users:
            fields.append(field)
            continue
        words = trimmed(typed.get(f"{field.input}.q", ""))
        chosen = str(sent.get(field.name, ""))
        user = await _by_login_name(ctx, words) if words and not chosen and FIND not in typed else ""
        found = await find_users(ctx, words) if words and not user else ()
        if FIND not in typed and not (user or chosen):
            violations.append(Violation(field.path, NOT_THERE if words and not found else NOT_SELECTED))
        sent[field.name] = user or chosen
        value = chosen or (found[0][0] if len(found) == 1 else "")
        fields.append(replace(field, choices=_with(found, chosen), value=value, search=words))
    return Typed(tuple(fields), sent, tuple(violations))


def _with(found: tuple[tuple[str, str], ...], chosen: str) -> tuple[tuple[str, str], ...]:
    return found if not chosen or chosen in dict(found) else ((chosen, chosen), *found)


async def _by_login_name(ctx: RequestContext, name: str) -> str:
    try:
        answer = await ctx.api.call(_BY_LOGIN_NAME, {"loginName": name}, org=ctx.path.get("org", ""))
    except ServiceError as error:
        if error.kind not in _NOT_FOUND:
            raise
        return ""
    return str(answer["user"]["id"])


def as_person(field: Field) -> Field:
    return replace(field, widget=Widget.PERSON, label="User", help="")
