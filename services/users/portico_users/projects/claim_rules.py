"""Claim rules of projects and applications: what they must be like, and which apply to an application (decision 0141)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

import msgspec
from portico_contracts import apply as document
from portico_contracts.users import (
    ATTRIBUTES,
    MOST_CLAIM_RULES,
    PARTS_OF_ORGANIZATION,
    ClaimFormat,
    ClaimPlace,
    ClaimSource,
    may_have_rule,
    written_as,
)
from portico_contracts.users import ClaimRule as AppliedRule
from portico_oauth.errors import ErrorCode, Kind
from portico_oauth.scopes import is_word

from portico_users.values.fields import Each, Field, Fields, Words
from portico_users.values.names import is_id, is_key, is_name
from portico_users.values.problems import Problem, Problems

TOO_MANY = ErrorCode("USER-290", Kind.INVALID_REQUEST, "There are more than 50 claim rules.", "Keep at most 50.")
INVALID_CLAIM = ErrorCode(
    "USER-291",
    Kind.INVALID_REQUEST,
    "This claim cannot have a rule.",
    "Use at most 100 letters, digits and _ . : / -, starting with a letter, each claim once, and no claim that a"
    " specification, Portico, rolesClaim or groupsClaim uses. preferred_username may have user_name, login_name or"
    " email.",
)
INVALID_KEY = ErrorCode(
    "USER-292",
    Kind.INVALID_REQUEST,
    "The source of this claim rule has no such key.",
    "Name a metadata key, an attribute of the guide, id, name or domain of the organization, the id of a project, or"
    " the beginning of group names. A fixed value has no key.",
)
INVALID_VALUE = ErrorCode(
    "USER-293",
    Kind.INVALID_REQUEST,
    "The value of this claim rule does not fit its source and format.",
    "Only a fixed source has a value: a text, JSON with integers up to 9007199254740991, or a list.",
)
INVALID_SCOPE = ErrorCode(
    "USER-294", Kind.INVALID_REQUEST, "This text is not a scope.", "Use one scope, such as profile or orders.read."
)
INVALID_PLACES = ErrorCode(
    "USER-295",
    Kind.INVALID_REQUEST,
    "A claim rule names no place, or one twice.",
    "Name some of id_token, access_token, userinfo and introspection, each once.",
)
INVALID_GROUPS = ErrorCode(
    "USER-296",
    Kind.INVALID_REQUEST,
    "These groups cannot be selected.",
    "Use names of groups, each once, and only with the source groups.",
)


class ClaimRule(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """As `portico_contracts.users.ClaimRule`, without the information whose it is."""

    claim: str
    source: ClaimSource
    key: str = ""
    value: str = ""
    format: ClaimFormat = ClaimFormat.TEXT
    groups: tuple[str, ...] = ()
    scope: str = ""
    places: tuple[ClaimPlace, ...] = ()


CLAIM_RULE_FIELDS: Final = Fields(
    ClaimRule,
    document.ClaimRule,
    (
        Field("source", conversion=Words({name: ClaimSource(name.value) for name in document.ClaimSourceName})),
        Field("format", conversion=Words({name: ClaimFormat(name.value) for name in document.ClaimFormatName})),
        Field("places", conversion=Each(Words({name: ClaimPlace(name.value) for name in document.ClaimPlaceName}))),
    ),
)
CLAIM_RULES: Final = Field("claim_rules", conversion=Each(CLAIM_RULE_FIELDS))


def problems_of_rules(rules: Sequence[ClaimRule], taken: Iterable[str] = ()) -> Problems:
    """`taken` are the claims that the application has by its other settings."""
    if len(rules) > MOST_CLAIM_RULES:
        yield Problem("claimRules", TOO_MANY)
    names = {*filter(None, taken)}
    for number, rule in enumerate(rules):
        for problem in _problems_of(rule, names):
            yield Problem(f"claimRules[{number}].{problem.path}", problem.error_code)
        names.add(rule.claim)


def _problems_of(rule: ClaimRule, taken: set[str]) -> Problems:
    if rule.claim in taken or not may_have_rule(rule.claim, rule.source, rule.key):
        yield Problem("claim", INVALID_CLAIM)
    if not _has_key(rule):
        yield Problem("key", INVALID_KEY)
    is_fixed = rule.source is ClaimSource.FIXED
    if is_fixed != bool(rule.value) or (is_fixed and written_as(rule.format, rule.value) is None):
        yield Problem("value", INVALID_VALUE)
    if rule.format is not ClaimFormat.TEXT and rule.source not in (ClaimSource.FIXED, ClaimSource.METADATA):
        yield Problem("format", INVALID_VALUE)
    if rule.groups and (rule.source is not ClaimSource.GROUPS or not _are_names(rule.groups)):
        yield Problem("groups", INVALID_GROUPS)
    if rule.scope and not is_word(rule.scope):
        yield Problem("scope", INVALID_SCOPE)
    if not rule.places or len({*rule.places}) < len(rule.places):
        yield Problem("in", INVALID_PLACES)


def _has_key(rule: ClaimRule) -> bool:
    match rule.source:
        case ClaimSource.FIXED:
            return not rule.key
        case ClaimSource.METADATA:
            return is_key(rule.key)
        case ClaimSource.ATTRIBUTE:
            return rule.key in ATTRIBUTES
        case ClaimSource.ORGANIZATION:
            return rule.key in PARTS_OF_ORGANIZATION
        case ClaimSource.ROLES:
            return not rule.key or is_id(rule.key)
        case ClaimSource.GROUPS:
            return not rule.key or is_name(rule.key)


def _are_names(groups: tuple[str, ...]) -> bool:
    return len({*groups}) == len(groups) and all(map(is_name, groups))


def applied(of_project: Iterable[ClaimRule], of_app: Iterable[ClaimRule]) -> tuple[AppliedRule, ...]:
    """Those of the application, and those of the project for other claims."""
    own = {rule.claim: _applied(rule) for rule in of_app}
    return tuple(({rule.claim: _applied(rule, of_project=True) for rule in of_project} | own).values())


def _applied(rule: ClaimRule, *, of_project: bool = False) -> AppliedRule:
    return AppliedRule(**msgspec.structs.asdict(rule), of_project=of_project)
