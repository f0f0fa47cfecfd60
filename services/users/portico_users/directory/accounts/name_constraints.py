"""A new user name is refused where another user signs in with it as the address they have verified."""

from __future__ import annotations

from typing import Any

from portico_runtime.mongo import Database, Session

from portico_users.directory.accounts.account import AnyUser
from portico_users.directory.accounts.login_names import read_identifier, verified_domains
from portico_users.directory.organizations.org import Org
from portico_users.directory.organizations.store import ORGS
from portico_users.directory.people.human import ProofKind
from portico_users.directory.people.store import USERS
from portico_users.kernel.canonical_emails import email_key
from portico_users.kernel.conflicts import NAME_TAKEN
from portico_users.kernel.constraints import Check
from portico_users.kernel.entry import Document, Entry
from portico_users.kernel.names import canonical
from portico_users.kernel.records import State


def checks_of_name(entry: Entry[AnyUser]) -> tuple[Check, ...]:
    """What is asked about the user name of an entry: nothing where it is no new one."""
    before, after = entry.before, entry.after
    if after.state is State.DELETED or (before and canonical(before.user_name) == canonical(after.user_name)):
        return ()

    async def refuse_proven_address(database: Database, session: Session) -> None:
        """Raises USER-011, as for a name that is taken: the caller learns no more than that."""
        if await is_proven_address(database, after.user_name, after.org_id, but=after.id, session=session):
            raise NAME_TAKEN.error(cause="address")

    return (refuse_proven_address,)


async def is_proven_address(
    database: Database, user_name: str, org_id: str, *, but: str = "", session: Session | None = None
) -> bool:
    """True where the name, or its qualified name in the organization, is an address that an account has proven.

    An address in a domain that the account's own organization has verified counts as proven.

    Args:
        but: the id of an account that is not asked about.
    """
    owned, foreign = await _owners_of_domain(database, user_name, org_id, session)
    name = canonical(user_name)
    whole = email_key(user_name)
    qualified = sorted(email_key(f"{name}@{domain}") for domain in (verified_domains(owned) if owned else ()))
    addresses = [key for key in (whole, *qualified) if key]
    if not addresses:
        return False
    ways: list[Document] = [
        {"verifiedMailKey": {"$in": addresses}, "emailProof.kind": ProofKind.PROVEN.value},
        {"verifiedMailKey": {"$in": qualified}, "orgId": org_id},
    ]
    if whole and foreign:
        ways.append({"verifiedMailKey": whole, "orgId": foreign.id})
    question = {"$or": ways, "_id": {"$ne": but}, "state": {"$ne": State.DELETED.value}}
    return await database[USERS].find_one(question, {"_id": 1}, session=session) is not None


async def _owners_of_domain(
    database: Database, user_name: str, org_id: str, session: Session | None
) -> tuple[Org | None, Org | None]:
    """The organization of the name, and the one that has verified the domain the name ends in."""
    domain = read_identifier(user_name).domain
    ways: list[Document] = [{"_id": org_id}]
    if domain:
        ways += [{"domainKey": domain}, {"domainKeys": domain}]
    documents: list[Any] = await database[ORGS.name].find({"$or": ways}, session=session).to_list(None)
    orgs = [ORGS.record(document) for document in documents]
    owned = next((org for org in orgs if org.id == org_id), None)
    return owned, next((org for org in orgs if domain and domain in verified_domains(org)), None)
