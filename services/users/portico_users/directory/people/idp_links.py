"""Links of humans to who they are at identity providers: a pair of provider and id there belongs to one human (MG-16)."""

from __future__ import annotations

from typing import Final

import msgspec
from portico_oauth.errors import ErrorCode, Kind

from portico_users.kernel.names import is_name
from portico_users.kernel.problems import Problem, Problems

MAX_LINKS: Final = 100
"""They are read with the human."""

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
    """One link.

    Attributes:
        user_id: who they are there: the ``sub``.
        user_name: what they are called there; only shown.
        issuer: of the provider when the identity was linked by a sign-in, which no other issuer may use; empty for a link
            that an administrator or an import made.
        granted: projects and roles that its groups gave, and that the user had not otherwise.
    """

    idp_id: str
    user_id: str
    user_name: str
    issuer: str = ""
    granted: tuple[tuple[str, str], ...] = ()

    @property
    def key(self) -> str:
        """What a unique index holds of it."""
        return f"{link_prefix(self.idp_id)}{self.user_id}"


def link_prefix(idp_id: str) -> str:
    """What the keys of all links to a provider begin with."""
    return f"{idp_id}\n"


IdpLinks = tuple[IdpLink, ...]


def problems_of(links: IdpLinks) -> Problems:
    """Everything wrong with the links of one human, by the members of the document."""
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
    """The other links; USER-613 when it is not among them."""
    others = tuple(link for link in links if (link.idp_id, link.user_id) != (idp_id, user_id))
    if len(others) == len(links):
        raise LINK_NOT_FOUND.error()
    return others
