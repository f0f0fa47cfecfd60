"""The account an identifier means: what an end user types to sign in, or an application sends as ``login_hint``.

The order, inside the organization the request names if it names one (decision 0028):

1. in the organization that has verified the identifier's domain: the qualified name ``username@domain``, then the address;
2. the account that verified the address, the first one where several have;
3. the user name;
4. an asserted address that exactly one account has.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple, Protocol

from portico_users.directory.accounts.account import AnyUser, active_account
from portico_users.directory.organizations.org import Org
from portico_users.directory.people.human import Human, ProofKind
from portico_users.kernel.names import canonical, domain_key, email_key, login_key, split_address

Held = tuple[AnyUser, Org | None]
"""A user that is not deleted, with its organization."""


class Identifier(NamedTuple):
    """What was typed, in the forms it is compared in. Of one that is too long all are empty.

    Attributes:
        name: as a user name.
        local: the user name of a qualified name; the part before the last ``@``.
        domain: the part after it; empty without one.
        mail: as an `email` address; empty where it cannot be one.
    """

    name: str
    local: str
    domain: str
    mail: str


class Candidates(NamedTuple):
    """The accounts an identifier could mean, found by one question each.

    Attributes:
        named: who has the user name, or that of the qualified name.
        in_domain: members of the organization that has verified the domain, with the address as verified: who proved
            it before whose it was asserted to be, then by time.
        verified: accounts anywhere with the address as verified, in the same order.
    """

    named: Sequence[Held] = ()
    in_domain: Sequence[Held] = ()
    verified: Sequence[Held] = ()


class CandidateStore(Protocol):
    """Where accounts are."""

    async def find_candidates(
        self, identifier: Identifier, org_ids: Sequence[str] | None, *, humans: bool
    ) -> Candidates:
        """Asks the same questions whether or not an account has the identifier.

        Args:
            org_ids: only accounts of these organizations; None for any.
            humans: only people.
        """
        ...


NOBODYS: Final = Identifier("", "", "", "")


def read_identifier(typed: str) -> Identifier:
    """The forms of what was typed."""
    name = login_key(typed)
    if not name:
        return NOBODYS
    local, domain = split_address(typed)
    return Identifier(name, canonical(local), domain, email_key(typed))


async def find_holder(store: CandidateStore, typed: str, org_ids: Sequence[str] | None, *, humans: bool) -> Held | None:
    """Whom an identifier means, in whatever state but deleted. See `CandidateStore.find_candidates`."""
    identifier = read_identifier(typed)
    return holder_of(identifier, await store.find_candidates(identifier, org_ids, humans=humans))


def holder_of(identifier: Identifier, found: Candidates) -> Held | None:
    """Who of the candidates is meant: the first answer of the order above."""
    by_name = {canonical(user.user_name): (user, org) for user, org in found.named}
    qualified = by_name.get(identifier.local)
    if qualified and _has_verified(qualified[1], identifier.domain):
        return qualified
    # An address stays with those who have it while they cannot sign in: no other user's name or address takes it over.
    proven = [held for held in found.verified if _has_proven(held[0])]
    only_verified = found.verified[0] if len(found.verified) == 1 else None
    return _first(found.in_domain) or _first(proven) or by_name.get(identifier.name) or only_verified


def _first(holders: Sequence[Held]) -> Held | None:
    """The first that may sign in; where none may, the first."""
    return next((held for held in holders if active_account(*held)), holders[0] if holders else None)


def _has_proven(user: AnyUser) -> bool:
    proof = user.email_proof if isinstance(user, Human) else None
    return proof is not None and proof.kind is ProofKind.PROVEN


def _has_verified(org: Org | None, domain: str) -> bool:
    return org is not None and bool(domain) and domain in verified_domains(org)


def verified_domains(org: Org) -> frozenset[str]:
    """The canonical domains of an organization: the primary one, and the further ones it has verified."""
    further = (domain.name for domain in org.domains if domain.verified)
    return frozenset(map(domain_key, (org.primary_domain, *further)))
