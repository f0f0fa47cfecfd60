"""Whose a typed login name is."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from portico_users.accounts.account import AnyUser
from portico_users.domain.names import canonical
from portico_users.orgs.org import Org

User = TypeVar("User", bound=AnyUser)


def names_in(key: str) -> tuple[str, str]:
    """The user names a login name may be: all of it, or what stands before the domain."""
    return key, key.rpartition("@")[0]


def holder_of(
    key: str, named: Sequence[tuple[User, Org | None]], mailed: Sequence[tuple[User, Org | None]]
) -> tuple[User, Org | None] | None:
    """Who is meant: by user name, then by ``username@primarydomain``, then by a verified mail address.

    Args:
        key: the login name in canonical form.
        named: who has one of `names_in`.
        mailed: who has proven the address.
    """
    local, _, domain = key.rpartition("@")
    by_name = {canonical(user.user_name): (user, org) for user, org in named}
    qualified = by_name.get(local)
    at_home = qualified is not None and _has_domain(qualified[1], domain)
    # An address that several have proven is nobody's.
    only_mailed = mailed[0] if len(mailed) == 1 else None
    return by_name.get(key) or (qualified if at_home else None) or only_mailed


def _has_domain(org: Org | None, domain: str) -> bool:
    return org is not None and canonical(org.primary_domain) == canonical(domain)
