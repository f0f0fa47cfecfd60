"""Redis keys of the versions.

A user's version is a field of the hash of the user's bucket, in one slot with the user's grants and sessions,
so that one script reads both. All other versions are in one hash, which every replica polls.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final, NamedTuple

from portico_oauth.opaque import bucket_of, fingerprint

DIRECTORY: Final = "directory"
"""The slot of everything that is not a user: organizations, projects, applications and the like."""

ANY: Final = "any"
"""The field of that hash that changes with each of the others."""

MARK: Final = "~"
"""Prefix of the marker of a change in progress; versions never start with it."""

MARK_SECONDS: Final = 120
"""How long the marker of a change is valid: longer than the longest transaction."""


class VersionKey(NamedTuple):
    slot: str
    field: str


def versions(slot: str) -> str:
    return f"facts:{{{slot}}}:versions"


@lru_cache(maxsize=10_000)
def user(user_id: str) -> VersionKey:
    return VersionKey(bucket_of(user_id), fingerprint(user_id))


def organization(org_id: str) -> VersionKey:
    """Version shared by all organizations of a bucket, since their number is unlimited."""
    return VersionKey(DIRECTORY, f"org:{bucket_of(org_id)}")


def of_kind(kind: str) -> VersionKey:
    """Version shared by all objects of a kind, ``app`` for example, which change rarely."""
    return VersionKey(DIRECTORY, kind)


def anything() -> VersionKey:
    return VersionKey(DIRECTORY, ANY)
