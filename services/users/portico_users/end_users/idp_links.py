"""Links of users to identities: a pair of provider and subject belongs to one user (MG-16)."""

from __future__ import annotations

from typing import Final

import msgspec
from portico_oauth.errors import ErrorCode, Kind

from portico_users.values.names import is_name
from portico_users.values.problems import Problem, Problems

MAX_LINKS: Final = 100
"""Limited, because links are read with the user."""

LINK_TAKEN = ErrorCode(
    "USER-610",
    Kind.ALREADY_EXISTS,
    "This identity is already linked.",
    "Remove the link from the user who has it, or choose another identity.",
)
INVALID_LINK = ErrorCode(
    "USER-611",
    Kind.INVALID_REQUEST,
    "This identity cannot be linked.",
    "Send the id and name at the identity provider, without control characters and surrounding spaces.",
)
TOO_MANY_LINKS = ErrorCode(
    "USER-612", Kind.INVALID_REQUEST, "This user has too many linked identities.", "Keep at most 100 links per user."
)
LINK_NOT_FOUND = ErrorCode("USER-613", Kind.NOT_FOUND, "Linked identity not found.", "List the links of the user.")


class IdpLink(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """A link to an external identity.

    Attributes:
        user_id: the ``sub`` at the provider.
        issuer: of the provider if a sign-in created the link, which other issuers cannot use; empty for links of
            administrators and imports.
        granted: projects and roles that the identity's groups gave and that the user did not have otherwise.
        given_by: the sequence of the provider by which a sign-in gave roles and groups, where an older one matters;
            a provider that ended something after that does not give it any longer (decision 0156).
    """

    idp_id: str
    user_id: str
    user_name: str
    issuer: str = ""
    granted: tuple[tuple[str, str], ...] = ()
    given_by: int = 0

    @property
    def key(self) -> str:
        return f"{link_prefix(self.idp_id)}{self.user_id}"


def link_prefix(idp_id: str) -> str:
    return f"{idp_id}\n"


IdpLinks = tuple[IdpLink, ...]


def problems_of(links: IdpLinks) -> Problems:
    if len(links) > MAX_LINKS:
        yield Problem("idpLinks", TOO_MANY_LINKS)
    keys: set[str] = set()
    for number, link in enumerate(links):
        if not all(map(is_name, (link.idp_id, link.user_id, link.user_name))):
            yield Problem(f"idpLinks[{number}]", INVALID_LINK)
        if link.key in keys:
            yield Problem(f"idpLinks[{number}]", LINK_TAKEN)
        keys.add(link.key)


def without_link(links: IdpLinks, idp_id: str, user_id: str) -> IdpLinks:
    others = tuple(link for link in links if (link.idp_id, link.user_id) != (idp_id, user_id))
    if len(others) == len(links):
        raise LINK_NOT_FOUND.error()
    return others
