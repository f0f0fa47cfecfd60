"""What a user would get at an application, printed by ``portico explain --client``."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import click
import msgspec
from portico_contracts.token import PREVIEW_TOKENS, PreviewTokens, ScopeDropped, TokensPreviewed
from portico_contracts.users import FIND_USER, GET_USER, FindUser, GetUser, NotGiven
from portico_oauth.scopes import split

from portico_cli.bus_calls.operator_calls import call_or_exit
from portico_cli.terminal.output import refuse

_SECONDS: Final = 5.0
_PLACES: Final = ("id_token", "access_token", "userinfo", "introspection")

_DROPPED: Final = {
    ScopeDropped.UNKNOWN: "no API that the application may use defines it",
    ScopeDropped.PROJECT: "the application may not name this project",
    ScopeDropped.METADATA: "the user's organization neither owns the project nor was granted it",
    ScopeDropped.NO_REFRESH_TOKENS: "the application may not use refresh tokens",
    ScopeDropped.ROLE: "the user has none of the roles",
}
_NOT_GIVEN: Final = {
    NotGiven.RESERVED: "a setting of the application uses the claim",
    NotGiven.ANOTHER_PLACE: "nothing that is issued shows it",
    NotGiven.SCOPE: "its scope was not granted",
    NotGiven.ANOTHER_PROJECT: "the token is not for the project",
    NotGiven.ANOTHER_ORGANIZATION: "the user belongs to another organization",
    NotGiven.NO_VALUE: "the user has no such value",
    NotGiven.NOT_VERIFIED: "it is not verified",
}


def explain_tokens(data: Path, client_id: str, user: str, scope: str, *, as_json: bool) -> None:
    words = split(scope)
    if not words:
        raise click.UsageError("--scope: not a scope.")
    user_id = _user_id(data, user)
    ask = PreviewTokens(user_id=user_id, client_id=client_id, scope=tuple(words))
    found = call_or_exit(data, PREVIEW_TOKENS, ask, seconds=_SECONDS)
    if as_json:
        contents = {place: _content(found, place) for place in _PLACES}
        others = msgspec.to_builtins(found)
        click.echo(json.dumps(others | {"user_id": user_id} | contents, indent=2, ensure_ascii=False))
        return
    for line in lines_of(found):
        click.echo(line)


def _user_id(data: Path, user: str) -> str:
    by_id = call_or_exit(data, GET_USER, GetUser(user_id=user), seconds=_SECONDS).user
    found = by_id or call_or_exit(data, FIND_USER, FindUser(login_name=user, org_id=""), seconds=_SECONDS).user
    if found is None:
        refuse(f"No active user {user}.")
    return found.user_id


def _content(found: TokensPreviewed, place: str) -> Any:
    text = getattr(found, place)
    return json.loads(text) if text else None


def lines_of(found: TokensPreviewed) -> Iterator[str]:
    yield f"scope          {' '.join(found.scope)}"
    for one in found.dropped:
        roles = f" {', '.join(one.roles)} in the project {one.project_id}" if one.roles else ""
        yield f"dropped        {one.scope}: {_DROPPED[one.reason]}{roles}"
    for rule in found.rules:
        origin = "project" if rule.of_project else "application"
        shown = ", ".join(rule.places) if rule.reason is None else f"not given: {_NOT_GIVEN[rule.reason]}"
        yield f"claim rule     {rule.claim} (of the {origin}): {shown}"
    if found.token_hook:
        yield f"token hook     the webhook {found.token_hook} adds claims when tokens are issued; it was not called"
    ruled = {place: {rule.claim for rule in found.rules if place in rule.places} for place in _PLACES}
    for place in _PLACES:
        if (claims := _content(found, place)) is None:
            continue
        yield f"\n{place}"
        for name, value in claims.items():
            mark = "  (claim rule)" if name in ruled[place] else ""
            yield f"  {name:<24} {json.dumps(value, ensure_ascii=False)}{mark}"
