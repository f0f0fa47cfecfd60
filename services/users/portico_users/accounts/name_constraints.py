from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Self

from portico_oauth.opaque import fingerprint
from portico_runtime.mongo.client import Database, Session

from portico_users.accounts.account import AnyUser
from portico_users.accounts.login_names import read_identifier, verified_domains
from portico_users.end_users.end_user import EndUser, ProofKind
from portico_users.end_users.store import USERS
from portico_users.journal.constraints import SENTINELS, Check, CheckedTogether
from portico_users.organizations.org import ORGS, Org
from portico_users.storage.entry import Document, Entry, Work
from portico_users.values.names import canonical, email_key
from portico_users.values.problems import NAME_TAKEN
from portico_users.values.records import State


class NewName(NamedTuple):
    """A new user name for an account of an organization; the account itself is excluded from the check."""

    user_name: str
    org_id: str
    user_id: str = ""


@dataclass(frozen=True, slots=True)
class NameCheck(CheckedTogether):
    """Raises USER-011, as for a taken name, so that the caller learns nothing else."""

    name: NewName

    async def __call__(self, database: Database, session: Session) -> None:
        await self.check_all((self,), database, session)

    @classmethod
    async def check_all(cls, checks: Sequence[Self], database: Database, session: Session) -> None:
        if await has_address_of_another(database, [check.name for check in checks], session):
            raise NAME_TAKEN.error(cause="address")


def checks_of_name(entry: Entry[AnyUser]) -> tuple[Check, ...]:
    before, after = entry.before, entry.after
    if after.state is State.DELETED or (before and canonical(before.user_name) == canonical(after.user_name)):
        return ()
    return (NameCheck(NewName(after.user_name, after.org_id, after.id)),)


async def has_address_of_another(database: Database, names: Sequence[NewName], session: Session | None = None) -> bool:
    """Reports whether a name or its qualified name is an address with which another account signs in.

    That includes addresses verified by a code, those in a domain verified by the account's organization, and,
    in other organizations, all verified addresses, because imported users sign in with them. A name in a
    domain of the organization itself conflicts only with the first two, because the organization's own
    accounts take precedence there.
    """
    orgs = await _find_orgs(database, names, session)
    asked = [_holdings_of(name, orgs) for name in names]
    ways = _questions_of(asked)
    if not ways:
        return False
    question = {"$or": ways, "state": {"$ne": State.DELETED.value}}
    members = {"verifiedMailKey": 1, "emailProof.kind": 1, "orgId": 1}
    # Without a conflict each account is found only by its own name, so one more than the number of names suffices.
    most = len(names) + 1
    holders = await database[USERS].find(question, members, session=session).limit(most).to_list(most)
    return any(holdings.forbid(holder) for holdings in asked for holder in holders)


class _Holdings(NamedTuple):
    """Addresses that conflict with a name if proven by a code, verified in other organizations, or within one."""

    user_id: str
    org_id: str
    proven: frozenset[str]
    elsewhere: frozenset[str]
    in_org: Mapping[str, frozenset[str]]

    def forbid(self, holder: Document) -> bool:
        address = holder["verifiedMailKey"]
        by_proof = address in self.proven and (holder.get("emailProof") or {}).get("kind") == ProofKind.PROVEN.value
        by_org = address in self.in_org.get(holder["orgId"], ())
        is_elsewhere = address in self.elsewhere and holder["orgId"] != self.org_id
        return holder["_id"] != self.user_id and (by_proof or by_org or is_elsewhere)


def _questions_of(asked: Iterable[_Holdings]) -> list[Document]:
    proven: set[str] = set()
    in_org: dict[str, set[str]] = defaultdict(set)
    elsewhere: dict[str, set[str]] = defaultdict(set)
    for holdings in asked:
        proven |= holdings.proven
        elsewhere[holdings.org_id] |= holdings.elsewhere
        for org_id, addresses in holdings.in_org.items():
            in_org[org_id] |= addresses
    ways: list[Document] = [
        {"verifiedMailKey": {"$in": sorted(addresses)}, "orgId": org_id} for org_id, addresses in in_org.items()
    ]
    ways += [
        {"verifiedMailKey": {"$in": sorted(addresses)}, "orgId": {"$ne": org_id}}
        for org_id, addresses in elsewhere.items()
        if addresses
    ]
    if proven:
        ways.append({"verifiedMailKey": {"$in": sorted(proven)}, "emailProof.kind": ProofKind.PROVEN.value})
    return ways


def _holdings_of(new: NewName, orgs: Sequence[Org]) -> _Holdings:
    domain = read_identifier(new.user_name).domain
    owned = next((org for org in orgs if org.id == new.org_id), None)
    foreign = next((org for org in orgs if domain and domain in verified_domains(org)), None)
    name, whole = canonical(new.user_name), email_key(new.user_name)
    domains = verified_domains(owned) if owned else ()
    qualified = frozenset(filter(None, (email_key(f"{name}@{domain}") for domain in domains)))
    in_org = {new.org_id: qualified} if qualified else {}
    if whole and foreign:
        in_org[foreign.id] = in_org.get(foreign.id, frozenset()) | {whole}
    addresses = frozenset({whole} if whole else ())
    elsewhere = addresses if domain not in domains else frozenset()
    return _Holdings(new.user_id, new.org_id, qualified | addresses, elsewhere, in_org)


async def _find_orgs(database: Database, names: Sequence[NewName], session: Session | None) -> list[Org]:
    """Returns the organizations of the names, and those that have verified a domain of a name."""
    domains = sorted({domain for new in names if (domain := read_identifier(new.user_name).domain)})
    ways: list[Document] = [{"_id": {"$in": sorted({new.org_id for new in names})}}]
    if domains:
        ways += [{"domainKey": {"$in": domains}}, {"domainKeys": {"$in": domains}}]
    documents: list[Document] = await database[ORGS.name].find({"$or": ways}, session=session).to_list(None)
    return [ORGS.record(document) for document in documents]


def sole_owner(database: Database, human: EndUser) -> Work:
    """Checks, in the transaction that creates a user, that no other account has verified the address.

    Two such transactions for an address cannot both succeed: both insert and delete the same sentinel document.
    """
    key = email_key(human.email)
    sentinel = {"_id": f"registered {fingerprint(key)}"}
    others = {"verifiedMailKey": key, "_id": {"$ne": human.id}, "state": {"$ne": State.DELETED.value}}

    async def check(session: Session) -> None:
        await database[SENTINELS].insert_one(dict(sentinel), session=session)
        await database[SENTINELS].delete_one(sentinel, session=session)
        if await database[USERS].find_one(others, {"_id": 1}, session=session):
            raise NAME_TAKEN.error(cause="address")

    return check
