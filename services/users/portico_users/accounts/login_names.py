"""Login identifier resolution: finds the account for the identifier a user enters or a client sends as
``login_hint``.

The order, within the organization of the request if it names one (decision 0028):

1. in the organization that verified the identifier's domain: the qualified name ``username@domain``, then the address;
2. the account that verified the address, the first one if there are several;
3. the user name;
4. an asserted address that exactly one account has.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple, Protocol

from portico_users.accounts.account import AnyUser, active_account
from portico_users.end_users.end_user import EndUser, ProofKind
from portico_users.organizations.org import Org
from portico_users.values.names import canonical, domain_key, email_key, login_key, split_address

Held = tuple[AnyUser, Org | None]
"""A user that is not deleted, with its organization."""


class Identifier(NamedTuple):
    """The identifier's forms to compare, empty if too long; ``local`` and ``domain`` are split at the last ``@``."""

    name: str
    local: str
    domain: str
    mail: str


class Candidates(NamedTuple):
    """The accounts that an identifier could mean, by query.

    Attributes:
        named: the account with the user name or qualified name.
        in_domain: accounts of the organization that verified the domain, with the address verified; those verified by
            a code before asserted ones, then by time.
        verified: accounts of any organization with the address verified, in the same order.
    """

    named: Sequence[Held] = ()
    in_domain: Sequence[Held] = ()
    verified: Sequence[Held] = ()


class CandidateStore(Protocol):
    async def find_candidates(
        self, identifier: Identifier, org_ids: Sequence[str] | None, *, humans: bool
    ) -> Candidates:
        """Runs the same queries whether or not an account has the identifier."""
        ...


NOBODYS: Final = Identifier("", "", "", "")


def read_identifier(typed: str) -> Identifier:
    name = login_key(typed)
    if not name:
        return NOBODYS
    local, domain = split_address(typed)
    return Identifier(name, canonical(local), domain, email_key(typed))


async def find_holder(store: CandidateStore, typed: str, org_ids: Sequence[str] | None, *, humans: bool) -> Held | None:
    identifier = read_identifier(typed)
    return holder_of(identifier, await store.find_candidates(identifier, org_ids, humans=humans))


def holder_of(identifier: Identifier, found: Candidates) -> Held | None:
    by_name = {canonical(user.user_name): (user, org) for user, org in found.named}
    qualified = by_name.get(identifier.local)
    if qualified and _has_verified(qualified[1], identifier.domain):
        return qualified
    # A verified address stays with its owners even while they cannot sign in: no other name or address takes
    # precedence.
    proven = [held for held in found.verified if _has_proven(held[0])]
    only_verified = found.verified[0] if len(found.verified) == 1 else None
    return _first(found.in_domain) or _first(proven) or by_name.get(identifier.name) or only_verified


def _first(holders: Sequence[Held]) -> Held | None:
    """Returns the first that may sign in, otherwise the first."""
    return next((held for held in holders if active_account(*held)), holders[0] if holders else None)


def _has_proven(user: AnyUser) -> bool:
    proof = user.email_proof if isinstance(user, EndUser) else None
    return proof is not None and proof.kind is ProofKind.PROVEN


def _has_verified(org: Org | None, domain: str) -> bool:
    return org is not None and bool(domain) and domain in verified_domains(org)


def verified_domains(org: Org) -> frozenset[str]:
    further = (domain.name for domain in org.domains if domain.verified)
    return frozenset(map(domain_key, (org.primary_domain, *further)))
