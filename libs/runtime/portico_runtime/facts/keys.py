"""Where the versions of facts are in Redis.

A person's version is a field of the hash of the person's bucket, in one slot with the person's grants and sessions, so that
one script reads both. The versions of everything else are in one hash of their own, which every replica polls.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final, NamedTuple

from portico_oauth.opaque import bucket_of, fingerprint

DIRECTORY: Final = "directory"
"""The slot of what is no person: organizations, projects, applications and the like."""

ANY: Final = "any"
"""The field of that hash that changes with each of the others."""

MARK: Final = "~"
"""What the text of a fact that is being changed begins with; a version never does."""

MARK_SECONDS: Final = 120
"""How long the mark of a change counts: longer than any transaction can last."""


class VersionKey(NamedTuple):
    """A field of a hash: what one version is about.

    Attributes:
        slot: the hash tag.
    """

    slot: str
    field: str


def versions(slot: str) -> str:
    """Hash: the versions of a slot."""
    return f"facts:{{{slot}}}:versions"


@lru_cache(maxsize=10_000)
def person(user_id: str) -> VersionKey:
    """What is known of a user."""
    return VersionKey(bucket_of(user_id), fingerprint(user_id))


def organization(org_id: str) -> VersionKey:
    """What is known of an organization, and of all others of its bucket: there is no end to organizations."""
    return VersionKey(DIRECTORY, f"org:{bucket_of(org_id)}")


def of_kind(kind: str) -> VersionKey:
    """What is known of all objects of a kind, ``app`` for example: they change seldom."""
    return VersionKey(DIRECTORY, kind)


def anything() -> VersionKey:
    """Everything in the directory."""
    return VersionKey(DIRECTORY, ANY)
