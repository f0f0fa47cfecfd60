"""Client ids that are URLs of client-ID metadata documents (draft-ietf-oauth-client-id-metadata-document section 3)."""

from __future__ import annotations

from functools import lru_cache
from typing import Final
from urllib.parse import unquote, urlsplit

SCHEME: Final = "https://"
_DOTS: Final = frozenset({".", ".."})


@lru_cache(maxsize=1_000)
def host_of_client_id(client_id: str) -> str:
    """Returns the host, in lower case, of a client id that can be the URL of a document; empty for every other."""
    if not client_id.startswith(SCHEME) or not client_id.isascii() or "#" in client_id or "\\" in client_id:
        return ""
    try:
        parts = urlsplit(client_id)
        host, _ = parts.hostname or "", parts.port
    except ValueError:
        return ""
    has_dots = not _DOTS.isdisjoint(unquote(parts.path).split("/"))
    if "@" in parts.netloc or not parts.path or has_dots or any(letter <= " " for letter in client_id):
        return ""
    return host


def host_and_parents(host: str) -> tuple[str, ...]:
    """Returns the host and each domain that it is a subdomain of: ``a.b.example`` gives also ``b.example`` and ``example``."""
    labels = host.split(".")
    return tuple(".".join(labels[first:]) for first in range(len(labels)))
