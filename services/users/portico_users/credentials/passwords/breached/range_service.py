"""A range service: gets five digits of the hash, and returns all that begin with them (k-anonymity)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Protocol

from portico_runtime.http_client.addresses import OutboundError
from portico_runtime.http_client.outbound import OutboundResponse

from portico_users.credentials.passwords.breached.digest import Digest
from portico_users.credentials.passwords.breached.range_file import UnusableList

SECONDS: Final = 1.5
"""Time limit of a request: the user waits for it."""

MAX_RANGE: Final = 256 * 1024
"""Bytes; padded ranges of the well-known list have up to 60,000."""

# With padding, observers of the encrypted traffic cannot derive the range from the size of the response.
_HEADERS: Final = {"Accept": "text/plain", "Add-Padding": "true"}


class Get(Protocol):
    async def get(self, url: str, headers: Mapping[str, str] | None = None, *, limit: int) -> OutboundResponse: ...


@dataclass(frozen=True, slots=True)
class RangeService:
    url: str
    outbound: Get

    async def count(self, digest: Digest) -> int:
        """Returns how often the password was found; 0 if it is not listed. Raises `UnusableList`."""
        try:
            address = f"{self.url.removesuffix('/')}/{digest.prefix}"
            answer = await self.outbound.get(address, _HEADERS, limit=MAX_RANGE)
        except OutboundError as error:
            raise UnusableList(str(error)) from error
        if answer.status != 200:
            raise UnusableList(f"status {answer.status}")
        return _count(answer.body, digest.suffix.encode())


def _count(body: bytes, suffix: bytes) -> int:
    """Lines of padding have the count 0."""
    for line in body.split(b"\n"):
        key, colon, count = line.strip().partition(b":")
        if key.upper() == suffix:
            if not colon or not count.isdigit():
                raise UnusableList("a line has no count")
            return int(count)
    return 0
