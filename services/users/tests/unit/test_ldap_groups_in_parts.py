"""Groups in parts, as Active Directory sends them (MS-ADTS section 3.1.1.3.1.3.3)."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import pytest
from portico_users.identity_providers.federation.ldap.ber import (
    ENUMERATED,
    OCTETS,
    SEQUENCE,
    SET,
    MalformedElement,
    TooLarge,
    decode,
    encode,
    encode_integer,
)
from portico_users.identity_providers.federation.ldap.connection import LdapConnection
from portico_users.identity_providers.federation.ldap.messages import (
    SEARCH_DONE,
    SEARCH_ENTRY,
    Search,
    message,
    read_message,
)

DN = b"cn=Ada,dc=example"
SEARCH = Search("dc=example", ("uid",), "ada", (), ("memberOf",), size_limit=2, seconds=5, groups="memberof")


class ActiveDirectory:
    """Answers each search with the next of the given attributes, and keeps what was asked."""

    def __init__(self, *attributes: tuple[str, Sequence[bytes]] | None) -> None:
        self._left = list(attributes)
        self.asked: list[tuple[bytes, bytes]] = []
        self.reader = asyncio.StreamReader()

    def write(self, data: bytes) -> None:
        asked = read_message(decode(data)[0].content)
        parts = decode(asked.content)
        self.asked.append((parts[0].content, decode(parts[-1].content)[-1].content))
        if attribute := self._left.pop(0):
            name, values = attribute
            encoded = encode(SET, *(encode(OCTETS, value) for value in values))
            attributes = encode(SEQUENCE, encode(SEQUENCE, encode(OCTETS, name.encode()), encoded))
            self.reader.feed_data(message(asked.id, encode(SEARCH_ENTRY, encode(OCTETS, DN), attributes)))
        done = encode(SEARCH_DONE, encode_integer(0, ENUMERATED), encode(OCTETS), encode(OCTETS))
        self.reader.feed_data(message(asked.id, done))

    async def drain(self) -> None:
        pass

    async def groups(self) -> list[bytes]:
        (entry,) = await LdapConnection(self.reader, self, 1).search(SEARCH)  # type: ignore[arg-type]
        return list(entry.attributes["memberof"])


def numbered(first: int, count: int) -> list[bytes]:
    return [f"cn=group {number},dc=example".encode() for number in range(first, first + count)]


async def test_all_parts_are_requested() -> None:
    directory = ActiveDirectory(
        ("memberOf;range=0-1499", numbered(0, 1_500)),
        ("memberOf;range=1500-2999", numbered(1_500, 1_500)),
        ("memberOf;range=3000-*", numbered(3_000, 5)),
    )

    assert await directory.groups() == numbered(0, 3_005)
    assert directory.asked == [
        (b"dc=example", b"memberOf"),
        (DN, b"memberof;range=1500-*"),
        (DN, b"memberof;range=3000-*"),
    ]


async def test_limit_holds_for_all_parts_together() -> None:
    """However a server divides them (RX-08)."""
    directory = ActiveDirectory(
        ("memberOf;range=0-4999", numbered(0, 5_000)), ("memberOf;range=5000-*", numbered(5_000, 1))
    )
    with pytest.raises(TooLarge):
        await directory.groups()


@pytest.mark.parametrize("second", [None, ("memberOf", [b"cn=x"]), ("memberOf;range=0-*", [b"cn=x"]), ("cn", [b"Ada"])])
async def test_answer_without_the_requested_part_is_refused(second: tuple[str, Sequence[bytes]] | None) -> None:
    """An incomplete list would end memberships."""
    directory = ActiveDirectory(("memberOf;range=0-0", numbered(0, 1)), second)
    with pytest.raises(MalformedElement):
        await directory.groups()
