"""Claim rules in place of scope mappings of authentik.

A mapping is Python. Only an expression that returns an object of values that rules have is understood, and never run.
"""

from __future__ import annotations

import ast
import json
import textwrap
from collections.abc import Iterator
from typing import Final, NamedTuple

from portico_contracts.apply import ClaimFormatName, ClaimPlaceName, ClaimRule, ClaimSourceName
from portico_oauth.claim_names import is_private

MOST: Final = 20_000
"""Characters of an expression."""

_SCOPES: Final = {"openid": "", "profile": "profile", "email": "email", "phone": "phone", "address": "address"}
"""Scopes that applications may request here; others are those of an API."""
_OF_USER: Final = {"username": "user_name", "email": "email", "name": "name"}
_USERS: Final = ("request.user", "user")
_GROUPS: Final = ("ak_groups.all()", "groups.all()", "all_groups()")
_LONGEST: Final = 2_000


class _Value(NamedTuple):
    source: ClaimSourceName
    key: str = ""
    value: str = ""
    format: ClaimFormatName = ClaimFormatName.TEXT


def rules_of(expression: str, scope: str, places: tuple[ClaimPlaceName, ...]) -> tuple[ClaimRule, ...]:
    """Empty where the scope or any claim of the expression has no counterpart."""
    values = _returned(expression) if scope in _SCOPES else None
    if values is None:
        return ()
    found = []
    for name, value in _items(values):
        given = _value(name, value)
        if given is None:
            return ()
        found.append(
            ClaimRule(
                claim=name, source=given.source, key=given.key, value=given.value, format=given.format,
                scope=_SCOPES[scope], places=places,
            )
        )  # fmt: skip
    return tuple(found)


def _returned(expression: str) -> ast.Dict | None:
    if len(expression) > MOST:
        return None
    try:
        body = ast.parse(textwrap.dedent(expression)).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    if len(body) != 1 or not isinstance(body[0], ast.Return) or not isinstance(body[0].value, ast.Dict):
        return None
    return body[0].value


def _items(values: ast.Dict) -> Iterator[tuple[str, ast.expr]]:
    for key, value in zip(values.keys, values.values, strict=True):
        yield (key.value if isinstance(key, ast.Constant) and isinstance(key.value, str) else ""), value


def _value(name: str, value: ast.expr) -> _Value | None:
    if not is_private(name):
        return None
    if isinstance(value, ast.Constant | ast.List):
        return _fixed(value)
    text = ast.unparse(value)
    for user in _USERS:
        for attribute, key in _OF_USER.items():
            if text == f"{user}.{attribute}":
                return _Value(ClaimSourceName.ATTRIBUTE, key)
        for groups in _GROUPS:
            if _lists_names(value, f"{user}.{groups}"):
                return _Value(ClaimSourceName.GROUPS)
    return None


def _fixed(value: ast.expr) -> _Value | None:
    try:
        literal = ast.literal_eval(value)
        text = literal if isinstance(literal, str) else json.dumps(literal, ensure_ascii=False)
    except (ValueError, TypeError):
        return None
    if literal is None or not text or len(text) > _LONGEST:
        return None
    format = ClaimFormatName.TEXT if isinstance(literal, str) else ClaimFormatName.JSON
    return _Value(ClaimSourceName.FIXED, value=text, format=format)


def _lists_names(value: ast.expr, groups: str) -> bool:
    """Reports whether the value is ``[group.name for group in …]`` without a condition."""
    if not isinstance(value, ast.ListComp) or len(value.generators) != 1:
        return False
    [one] = value.generators
    if one.ifs or not isinstance(one.target, ast.Name):
        return False
    return ast.unparse(value.elt) == f"{one.target.id}.name" and ast.unparse(one.iter) == groups
