"""A second implementation of the candidate search, by plain comparison in memory."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from portico_users.accounts.login_names import Candidates, Held, Identifier
from portico_users.end_users.end_user import EndUser, ProofKind
from portico_users.values.names import canonical, email_key
from portico_users.values.records import State


class MemoryCandidates:
    """Implements `portico_users.accounts.login_names.CandidateStore`."""

    def __init__(self, accounts: Iterable[Held]) -> None:
        self._accounts = tuple(accounts)

    async def find_candidates(
        self, identifier: Identifier, org_ids: Sequence[str] | None, *, humans: bool
    ) -> Candidates:
        there = [
            held
            for held in self._accounts
            if held[0].state is not State.DELETED
            and (org_ids is None or held[0].org_id in org_ids)
            and (not humans or isinstance(held[0], EndUser))
        ]
        verified = [held for held in there if identifier.mail and _verified_mail(held) == identifier.mail]
        return Candidates(
            named=[held for held in there if canonical(held[0].user_name) in (identifier.name, identifier.local)],
            in_domain=sorted((held for held in verified if _owns(held, identifier.domain)), key=_order),
            verified=sorted(verified, key=_order),
        )


def _verified_mail(held: Held) -> str:
    user = held[0]
    return email_key(user.email) if isinstance(user, EndUser) and user.email_verified else ""


def _owns(held: Held, domain: str) -> bool:
    org = held[1]
    if org is None or not domain:
        return False
    return domain == org.primary_domain or any(one.verified and one.name == domain for one in org.domains)


def _order(held: Held) -> tuple[int, float]:
    """Sorts verified before asserted before unknown, then by time."""
    proof = held[0].email_proof if isinstance(held[0], EndUser) else None
    if proof is None:
        return 2, 0.0
    return (0 if proof.kind is ProofKind.PROVEN else 1), proof.at
