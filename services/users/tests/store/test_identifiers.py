"""Login identifier resolution: the order of decision 0028, case by case, in memory and in MongoDB."""

from __future__ import annotations

from typing import Any, NamedTuple

import pytest
from portico_fakes.memory_candidates import MemoryCandidates
from portico_users.accounts.account import AnyUser
from portico_users.accounts.candidates import MongoCandidates, questions_of
from portico_users.accounts.login_names import CandidateStore, find_holder, read_identifier
from portico_users.accounts.store import ACCOUNTS
from portico_users.end_users.end_user import EmailProof, EndUser, ProofKind
from portico_users.end_users.store import HUMANS
from portico_users.organizations.domains import Domain
from portico_users.organizations.org import ORGS, Org
from portico_users.service_users.service_user import SERVICE_USERS, ServiceUser
from portico_users.values.records import State

pytestmark = pytest.mark.servers


class Is(NamedTuple):
    """A user of a case. ``%`` in names, addresses and domains is replaced by the tag of the case.

    Attributes:
        org: ``a`` has verified the domain ``mail-a%.example`` besides its primary ``a%.example``; ``b`` has
            only requested ``wish-b%.example`` besides its ``b%.example``.
        proven, asserted: time of verification; unverified where both are None.
    """

    id: str
    org: str
    name: str
    mail: str = "else%@nowhere.example"
    proven: float | None = None
    asserted: float | None = None
    state: State = State.ACTIVE
    human: bool = True


ALICE = Is("alice", "a", "alice%", "alice%@free.example", proven=5.0)
MEMBER = Is("member", "a", "member%", "post%@mail-a%.example", asserted=5.0)

CASES: dict[str, tuple[list[Is], str, str]] = {
    # (1) the organization that has verified the domain: the qualified name, then the address
    "qualified name by the primary domain": ([ALICE], "alice%@a%.example", "alice"),
    "qualified name by a further verified domain": ([ALICE], "alice%@mail-a%.example", "alice"),
    "qualified name by a domain that is only wished for": ([ALICE._replace(org="b")], "alice%@wish-b%.example", ""),
    "qualified name by another organization's domain": ([ALICE], "alice%@b%.example", ""),
    "qualified name in any spelling": ([ALICE], "ALICE%@A%.EXAMPLE", "alice"),
    "qualified name of a name with an at sign": (
        [Is("nested", "a", "nested%@free.example")],
        "nested%@free.example@a%.example",
        "nested",
    ),
    "qualified name before a user name that looks like it": (
        [ALICE, Is("thief", "a", "alice%@a%.example")],
        "alice%@a%.example",
        "alice",
    ),
    "qualified name before an address asserted in the organization": (
        [ALICE, Is("thief", "a", "thief%", "alice%@a%.example", asserted=1.0)],
        "alice%@a%.example",
        "alice",
    ),
    "qualified name before an address proven elsewhere": (
        [ALICE, Is("thief", "b", "thief%", "alice%@a%.example", proven=1.0)],
        "alice%@a%.example",
        "alice",
    ),
    "qualified name of somebody locked stays theirs": (
        [ALICE._replace(state=State.LOCKED), Is("thief", "b", "alice%@a%.example")],
        "alice%@a%.example",
        "alice",
    ),
    "address in the verified domain": ([MEMBER], "post%@mail-a%.example", "member"),
    "address in the verified domain before one proven elsewhere": (
        [MEMBER, Is("thief", "b", "thief%", "post%@mail-a%.example", proven=1.0)],
        "post%@mail-a%.example",
        "member",
    ),
    "address in the verified domain before a user name": (
        [MEMBER, Is("thief", "a", "post%@mail-a%.example")],
        "post%@mail-a%.example",
        "member",
    ),
    "of two with the address in the verified domain who proved it": (
        [MEMBER._replace(asserted=1.0), Is("prover", "a", "prover%", "post%@mail-a%.example", proven=9.0)],
        "post%@mail-a%.example",
        "prover",
    ),
    "an unverified address is no identifier in any domain": (
        [MEMBER._replace(asserted=None)],
        "post%@mail-a%.example",
        "",
    ),
    # (2) the first user who proved the address
    "proven address": ([ALICE], "alice%@free.example", "alice"),
    "proven address before another's user name": (
        [ALICE, Is("thief", "b", "alice%@free.example")],
        "alice%@free.example",
        "alice",
    ),
    "proven address before an address asserted earlier": (
        [ALICE, Is("thief", "b", "thief%", "alice%@free.example", asserted=1.0)],
        "alice%@free.example",
        "alice",
    ),
    "the first of those who proved it": (
        [ALICE, Is("second", "b", "second%", "alice%@free.example", proven=6.0)],
        "alice%@free.example",
        "alice",
    ),
    "the second while the first is not active": (
        [ALICE._replace(state=State.INACTIVE), Is("second", "b", "second%", "alice%@free.example", proven=6.0)],
        "alice%@free.example",
        "second",
    ),
    "proven address of somebody locked stays theirs": (
        [ALICE._replace(state=State.LOCKED), Is("thief", "b", "alice%@free.example")],
        "alice%@free.example",
        "alice",
    ),
    "proven address of somebody deleted is nobody's": (
        [ALICE._replace(state=State.DELETED)],
        "alice%@free.example",
        "",
    ),
    "proven address with its domain in Unicode": (
        [ALICE._replace(mail="alice%@b\u00fccher.example")],
        "ALICE%@xn--bcher-kva.example",
        "alice",
    ),
    # (3) the user name
    "user name": ([ALICE], "alice%", "alice"),
    "user name that looks like an address": ([Is("bob", "b", "bob%@free.example")], "bob%@free.example", "bob"),
    "user name before an asserted address": (
        [ALICE._replace(proven=None, asserted=1.0), Is("named", "b", "alice%@free.example")],
        "alice%@free.example",
        "named",
    ),
    # (4) an asserted address that exactly one account has
    "asserted address": ([ALICE._replace(proven=None, asserted=1.0)], "alice%@free.example", "alice"),
    "asserted address of two": (
        [
            ALICE._replace(proven=None, asserted=1.0),
            Is("twin", "b", "twin%", "alice%@free.example", asserted=2.0),
        ],
        "alice%@free.example",
        "",
    ),
    "asserted address of two of whom one is locked": (
        [
            ALICE._replace(proven=None, asserted=1.0),
            Is("twin", "b", "twin%", "alice%@free.example", asserted=2.0, state=State.LOCKED),
        ],
        "alice%@free.example",
        "",
    ),
    # end users only
    "a service user's name is no way to sign in": ([Is("robot", "a", "robot%", human=False)], "robot%", ""),
    "a service user's name takes no asserted address": (
        [ALICE._replace(proven=None, asserted=1.0), Is("robot", "b", "alice%@free.example", human=False)],
        "alice%@free.example",
        "alice",
    ),
    # unknown
    "nobody": ([ALICE], "nobody%", ""),
    "an at sign alone": ([ALICE], "@", ""),
    "no domain": ([ALICE], "alice%@", ""),
    "no local part": ([ALICE], "@a%.example", ""),
}

INSIDE: dict[str, tuple[list[Is], str, str, str]] = {
    "proven address outside the organization": ([ALICE], "alice%@free.example", "b", ""),
    "qualified name outside the organization": ([ALICE], "alice%@a%.example", "b", ""),
    "user name outside the organization": ([ALICE], "alice%", "b", ""),
    "asserted address that only one inside has": (
        [
            ALICE._replace(proven=None, asserted=1.0),
            Is("twin", "b", "twin%", "alice%@free.example", asserted=2.0),
        ],
        "alice%@free.example",
        "b",
        "twin",
    ),
    "the first inside who proved it": (
        [ALICE, Is("second", "b", "second%", "alice%@free.example", proven=6.0)],
        "alice%@free.example",
        "b",
        "second",
    ),
    "address in another organization's domain": (
        [MEMBER, Is("guest", "b", "guest%", "post%@mail-a%.example", proven=9.0)],
        "post%@mail-a%.example",
        "b",
        "guest",
    ),
}


def user_of(one: Is, tag: str) -> AnyUser:
    details: dict[str, Any] = {"id": f"{one.id}-{tag}", "org_id": f"{one.org}-{tag}", "state": one.state}
    name, mail = one.name.replace("%", tag), one.mail.replace("%", tag)
    if not one.human:
        return ServiceUser(**details, user_name=name, name="Robot")
    proof = None
    if one.proven is not None:
        proof = EmailProof(kind=ProofKind.PROVEN, at=one.proven)
    elif one.asserted is not None:
        proof = EmailProof(kind=ProofKind.ASSERTED, at=one.asserted)
    return EndUser(
        **details,
        user_name=name,
        first_name="Ada",
        last_name="Byron",
        display_name="Ada Byron",
        email=mail,
        email_verified=proof is not None,
        email_proof=proof,
    )


def orgs_of(tag: str) -> dict[str, Org]:
    domains = {
        "a": Domain(name=f"mail-a{tag}.example", verified=True),
        "b": Domain(name=f"wish-b{tag}.example"),
    }
    return {
        f"{id}-{tag}": Org(
            id=f"{id}-{tag}",
            org_id=f"{id}-{tag}",
            name=f"{id} {tag}",
            primary_domain=f"{id}{tag}.example",
            domains=(domain,),
        )
        for id, domain in domains.items()
    }


async def store_with(users_world: Any, kind: str, people: list[Is]) -> CandidateStore:
    orgs = orgs_of(users_world.tag)
    users = [user_of(one, users_world.tag) for one in people]
    if kind == "memory":
        return MemoryCandidates((user, orgs[user.org_id]) for user in users)
    database = users_world.parts.mongo.database
    await database["orgs"].insert_many([ORGS.document(org) for org in orgs.values()])
    documents = [HUMANS.document(user) if isinstance(user, EndUser) else SERVICE_USERS.document(user) for user in users]
    await database["users"].insert_many(documents)
    return MongoCandidates(database, ACCOUNTS, ("metadata",))


@pytest.mark.parametrize("kind", ["memory", "mongo"])
@pytest.mark.parametrize("case", list(CASES))
async def test_identifier_resolves_to_one_account(users_world: Any, kind: str, case: str) -> None:
    """The order is: the domain's owner, the user who proved the address, the user name, an address asserted by
    exactly one account.
    """
    people, typed, expected = CASES[case]
    store = await store_with(users_world, kind, people)
    found = await find_holder(store, typed.replace("%", users_world.tag), None, humans=True)

    assert (found[0].id if found else "") == (f"{expected}-{users_world.tag}" if expected else "")


@pytest.mark.parametrize("kind", ["memory", "mongo"])
@pytest.mark.parametrize("case", list(INSIDE))
async def test_named_organization_restricts_resolution(users_world: Any, kind: str, case: str) -> None:
    """If the request names an organization, accounts of others neither match nor make a match ambiguous."""
    people, typed, org, expected = INSIDE[case]
    store = await store_with(users_world, kind, people)
    inside = [f"{org}-{users_world.tag}"]
    found = await find_holder(store, typed.replace("%", users_world.tag), inside, humans=True)

    assert (found[0].id if found else "") == (f"{expected}-{users_world.tag}" if expected else "")


@pytest.mark.parametrize("typed", ["alice@free.example", "alice", "", "x" * 2_000, '{"$ne": null}@free.example'])
async def test_every_query_uses_an_index(users_world: Any, typed: str) -> None:
    """No query reads an account that it does not return, whatever was typed (RX-08, MG-10)."""
    database = users_world.parts.mongo.database
    await users_world.apply()
    among = {"state": {"$ne": "deleted"}, "type": "human"}
    for collection, steps in questions_of(read_identifier(f"{typed}{users_world.tag}" if typed else ""), among):
        wanted = {"aggregate": collection, "pipeline": steps, "cursor": {}}
        plan = await database.command({"explain": wanted, "verbosity": "executionStats"})

        assert "COLLSCAN" not in repr(plan)
        assert set(_members_of(plan, "totalDocsExamined")) <= {0}
        assert set(_members_of(plan, "collectionScans")) <= {0}


async def test_domain_members_are_found_by_an_index(users_world: Any) -> None:
    """Members of a domain's owner are found by address and organization, however many others assert the address."""
    tag = users_world.tag
    crowd = [Is(f"c{number}", "b", f"c{number}%", "post%@mail-a%.example", asserted=1.0) for number in range(50)]
    await store_with(users_world, "mongo", [MEMBER, *crowd])
    asked = questions_of(read_identifier(f"post{tag}@mail-a{tag}.example"), {"state": {"$ne": "deleted"}})
    collection, steps = asked[1]
    looked_up = steps[: next(number for number, step in enumerate(steps) if "$lookup" in step) + 1]
    wanted = {"aggregate": collection, "pipeline": looked_up, "cursor": {}}
    plan = await users_world.parts.mongo.database.command({"explain": wanted, "verbosity": "executionStats"})

    assert max(_members_of(plan, "totalDocsExamined")) <= 2
    assert any("orgId_1_verifiedMailKey_1" in name for names in _members_of(plan, "indexesUsed") for name in names)


async def test_many_asserted_addresses_are_not_slow(users_world: Any) -> None:
    """However many accounts assert an address, the index returns the first ten in order (RX-08)."""
    tag = users_world.tag
    crowd = [Is(f"c{number}", "b", f"c{number}%", "alice%@free.example", asserted=1.0) for number in range(50)]
    await store_with(users_world, "mongo", [ALICE, *crowd])
    collection, steps = questions_of(read_identifier(f"alice{tag}@free.example"), {"state": {"$ne": "deleted"}})[2]
    wanted = {"aggregate": collection, "pipeline": steps, "cursor": {}}
    plan = await users_world.parts.mongo.database.command({"explain": wanted, "verbosity": "executionStats"})

    assert max(_members_of(plan, "totalDocsExamined")) <= 10
    assert _members_of(plan, "winningPlan")
    assert "'SORT'" not in repr(_members_of(plan, "winningPlan"))


def _members_of(value: Any, name: str) -> list[Any]:
    if isinstance(value, list):
        return [found for one in value for found in _members_of(one, name)]
    if not isinstance(value, dict):
        return []
    here = [value[name]] if name in value else []
    return here + [found for one in value.values() for found in _members_of(one, name)]


@pytest.mark.parametrize(
    ("typed", "questions"), [("alice", 1), ("", 1), ("x" * 300, 1), ("alice@free.example", 3), ("alice@free", 3)]
)
def test_queries_depend_only_on_the_input(typed: str, questions: int) -> None:
    """A text without a domain is only looked up as a user name, whether an account has it or not (LG-01)."""
    assert len(questions_of(read_identifier(typed), {})) == questions
