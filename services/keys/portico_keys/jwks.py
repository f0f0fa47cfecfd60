"""The key set document (RFC 7517 section 5): bytes and entity tag, encoded once per change."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

import msgspec
from portico_oauth.jose import ALGORITHMS
from portico_oauth.opaque import b64url

from portico_keys.domain.key import IN_KEY_SET, Key


@dataclass(frozen=True, slots=True)
class KeySet:
    """The published key set; `etag` is a strong entity tag (RFC 9110 section 8.8.3)."""

    keys: tuple[dict[str, str], ...]
    body: bytes
    etag: str


def key_set_of(keys: Sequence[Key]) -> KeySet:
    """RSA comes first, because python-jose stops at a key of another type before the right one."""
    in_key_set = [key for key in keys if key.state in IN_KEY_SET]
    published = sorted(in_key_set, key=lambda key: (ALGORITHMS.index(key.alg), -key.serial))
    jwks = tuple(key.jwk for key in published)
    body = msgspec.json.encode({"keys": jwks})
    return KeySet(jwks, body, f'"{b64url(hashlib.sha256(body).digest()[:16])}"')


def is_current(if_none_match: str, etag: str) -> bool:
    """Returns whether If-None-Match names the current document: weak comparison (RFC 9110 section 13.1.2)."""
    tags = [tag.strip().removeprefix("W/") for tag in if_none_match.split(",")]
    return etag in tags or if_none_match.strip() == "*"
