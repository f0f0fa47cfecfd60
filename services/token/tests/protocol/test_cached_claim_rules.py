"""Claims of rules are computed once for each state of the user and of everything else (decisions 0039 and 0141)."""

from __future__ import annotations

import base64
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from types import FrameType
from typing import Any

import pytest
from msgspec.structs import replace
from portico_contracts.token import PREVIEW_TOKENS, PreviewTokens
from portico_contracts.users import AccessTokenType, ClaimPlace, ClaimRule, ClaimSource, UserClaims
from portico_fakes.clock import FrozenClock
from portico_fakes.memory_bus import MemoryBus
from portico_fakes.memory_grants import MemoryGrants
from portico_fakes.memory_versions import MemoryVersions
from portico_fakes.token_service import USER, token_service_in_memory
from portico_oauth.jose import SigningKey, unverified_claims
from portico_runtime.versioned_cache import keys
from portico_token.cached_users import CachedUsers
from portico_token.domain import claim_rules
from portico_token.issuing import private_claims

from .test_cached_users import READER, SCOPE, Known, change, poll

RULES = (
    ClaimRule(claim="team", source=ClaimSource.METADATA, key="team", places=(ClaimPlace.ID_TOKEN,)),
    ClaimRule(claim="groups_here", source=ClaimSource.GROUPS, places=tuple(ClaimPlace)),
    ClaimRule(claim="app_roles", source=ClaimSource.ROLES, places=tuple(ClaimPlace)),
    ClaimRule(claim="company", source=ClaimSource.ORGANIZATION, key="name", places=tuple(ClaimPlace)),
    ClaimRule(claim="nick", source=ClaimSource.ATTRIBUTE, key="nickname", places=tuple(ClaimPlace)),
)
BEFORE = {"team": "blue", "groups_here": ["staff"], "app_roles": ["reader"], "company": "Acme", "nick": "A"}


@dataclass
class Computing:
    """Counts how often rules are applied; `during` runs once, while they are."""

    times: int = 0
    during: list[Coroutine[Any, Any, None]] = field(default_factory=list)


@pytest.fixture
def computing(monkeypatch: pytest.MonkeyPatch) -> Computing:
    counted, apply = Computing(), claim_rules.ruled_claims

    def counting(*given: Any) -> dict[str, Any]:
        counted.times += 1
        found = apply(*given)
        while counted.during:
            at_once(counted.during.pop())
        return found

    monkeypatch.setattr(private_claims, "ruled_claims", counting)
    return counted


@pytest.fixture
async def known(clock: FrozenClock, bus: MemoryBus, signing_keys: tuple[SigningKey, ...]) -> AsyncIterator[Known]:
    """Ada has a value for every rule, and is signed in."""
    versions = MemoryVersions(clock)
    service = token_service_in_memory(clock, bus, MemoryGrants(versions), signing_keys, versions=versions)
    async with service.running():
        await poll(service)
        found = Known(service, bus, versions)
        found.service.users.people[USER] = person(service.users.people[USER])
        service.users.groups[USER] = ("staff",)
        service.users.roles[USER, "project-1"] = READER
        await found.set_up("jwt", claim_rules=RULES)
        yield found


def person(found: UserClaims, *, team: str = "blue", company: str = "Acme", nick: str = "A") -> UserClaims:
    metadata = {"team": base64.urlsafe_b64encode(team.encode()).decode().rstrip("=")}
    return replace(found, claims={"nickname": nick}, metadata=metadata, org_name=company)


def at_once(work: Coroutine[Any, Any, None]) -> None:
    """Runs what never waits, where nothing can be awaited."""
    with pytest.raises(StopIteration):
        work.send(None)


async def refreshed(known: Known) -> dict[str, Any]:
    """The claims of rules in the next id_token."""
    body, _ = await known.run("refresh jwt")
    claims = unverified_claims(body["id_token"])
    return {rule.claim: claims[rule.claim] for rule in RULES if rule.claim in claims}


async def test_unchanged_user_and_rules_compute_nothing_again(known: Known, computing: Computing) -> None:
    """An access token has one rule less than the id_token: two results, each computed once."""
    found = [await refreshed(known) for _ in range(3)]

    assert found == [BEFORE] * 3
    assert computing.times == 2


async def test_five_rules_cost_few_calls_of_a_refresh(known: Known) -> None:
    """Rules that give the same in both tokens are looked up once: a dozen Python calls, of about 400 of a refresh."""
    everywhere = tuple(replace(one, places=tuple(ClaimPlace)) for one in RULES)
    grants = ("authorization_code", "refresh_token")
    jwt: dict[str, Any] = {"access_token_type": AccessTokenType.JWT, "grant_types": grants}
    counted = {}
    for name, rules in (("plain", ()), ("ruled", everywhere)):
        known.service.register(name, claim_rules=rules, **jwt)
        answer = await known.service.redeem(known.service.issue_code(name, scope=SCOPE), name)
        for _ in range(3):
            with counting_calls() as counted[name]:
                answer = await known.service.refresh(answer.json()["refresh_token"], name)

    assert sum(counted["plain"]) > 100
    assert sum(counted["ruled"]) - sum(counted["plain"]) <= 12


@contextmanager
def counting_calls() -> Iterator[list[int]]:
    """Ends with the number of Python calls of our own code."""
    counts: list[int] = []

    def called(frame: FrameType, event: str, _argument: object) -> None:
        if event == "call" and "/portico_" in frame.f_code.co_filename and "/fakes/" not in frame.f_code.co_filename:
            counts.append(1)

    before = sys.getprofile()
    sys.setprofile(called)
    try:
        yield counts
    finally:
        sys.setprofile(before)


@pytest.mark.parametrize(
    ("what", "claim", "value"),
    [
        ("person", "team", "red"),
        ("person", "nick", "B"),
        ("person", "groups_here", ["board"]),
        ("person", "app_roles", ["admin"]),
        ("directory", "app_roles", ["admin"]),
        ("directory", "groups_here", ["board"]),
        ("directory", "company", "Other"),
    ],
)
async def test_changed_source_is_in_the_next_token(known: Known, what: str, claim: str, value: Any) -> None:
    """A change of the user, and one of the organization, a project or a group, is in force at the next refresh."""
    before = await refreshed(known)
    users = known.service.users
    users.groups[USER] = ("board",) if claim == "groups_here" else ("staff",)
    users.roles[USER, "project-1"] = {"admin": {"org-1": "example.test"}} if claim == "app_roles" else READER
    changed = {"team": "team", "nick": "nick", "company": "company"}.get(claim)
    users.people[USER] = person(users.people[USER], **({changed: value} if changed else {}))
    if claim == "company":
        await change_organization(known)
    else:
        await change(known, what)

    assert before == BEFORE
    assert await refreshed(known) == {**BEFORE, claim: value}


async def test_marked_user_is_computed_each_time(known: Known, computing: Computing) -> None:
    """While a change is in progress nothing that was computed before counts."""
    await refreshed(known)
    await known.versions.begin("c1", [keys.user(USER)])
    times = computing.times
    found = [await refreshed(known) for _ in range(2)]

    assert (found, computing.times - times) == ([BEFORE] * 2, 4)


async def test_changed_rules_are_in_the_next_token(known: Known) -> None:
    """Also where the user has not changed."""
    await refreshed(known)
    known.service.users.clients["app"] = replace(known.service.users.clients["app"], claim_rules=RULES[4:])
    await change(known, "directory")

    assert await refreshed(known) == {"nick": "A"}


async def test_change_while_rules_are_applied_is_in_the_next_answer(known: Known, computing: Computing) -> None:
    """What was read before the change is given once, and not kept."""

    async def changes() -> None:
        known.service.users.roles[USER, "project-1"] = {"admin": {"org-1": "example.test"}}
        await change(known, "directory")

    computing.during.append(changes())
    shown = shown_with(known)
    found = [(await shown(known.service.users.people[USER]))["app_roles"] for _ in range(2)]

    assert found == [["reader"], ["admin"]]


async def test_user_read_before_a_change_is_not_kept_after_it(known: Known) -> None:
    """Data that was read before the change is not kept as if it were read after it."""
    before = known.service.users.people[USER]
    known.service.users.people[USER] = person(before, company="Other")
    await change_organization(known)
    shown = shown_with(known)
    await shown(before)

    assert (await shown(known.service.users.people[USER]))["company"] == "Other"


def shown_with(known: Known) -> Callable[[UserClaims], Awaitable[dict[str, Any]]]:
    """Claims of userinfo for data of a user. The application stays the same object, which no change drops here."""
    parts, client = known.service.parts, known.service.users.clients["app"]
    assert parts
    assert parts.memory
    private = private_claims.PrivateClaims(CachedUsers(known.bus, parts.memory))
    return lambda found: private.shown(client, found, ("openid",), ClaimPlace.USERINFO, version="v1")


async def test_preview_with_other_roles_changes_no_token(known: Known) -> None:
    """A preview computes with roles and rules that do not exist; tokens never have its results."""
    await refreshed(known)
    roles = {"project-1": {"admin": {"org-1": "example.test"}}}
    ask = PreviewTokens(client_id="app", user_id=USER, scope=("openid",), roles=roles)
    shown = await known.bus.call(PREVIEW_TOKENS, ask)

    assert '"app_roles":["admin"]' in shown.id_token
    assert await refreshed(known) == BEFORE


async def change_organization(known: Known) -> None:
    facts = [keys.organization("org-1"), keys.anything()]
    await known.versions.begin("c2", facts)
    await known.versions.finish("c2", dict.fromkeys(facts, "c2"))
    await poll(known.service)
