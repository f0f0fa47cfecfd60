"""LDAP servers that misbehave: silent, without TLS, or with invalid messages."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from itertools import chain, repeat

import pytest
from portico_harness.eventually import HANGS
from portico_oauth.errors import ServiceError
from portico_users.identity_providers.federation.ldap.ber import (
    MalformedElement,
    TooLarge,
    decode,
    encode,
    encode_integer,
)
from portico_users.identity_providers.federation.ldap.connection import LdapConnections, receive
from portico_users.identity_providers.federation.ldap.messages import (
    Entry,
    Response,
    bind_request,
    read_entry,
    read_message,
)
from portico_users.identity_providers.ldap_rules import read_server

Behaviour = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]

START_TLS_DONE = bytes.fromhex("300c02010178070a010004000400")


@asynccontextmanager
async def _server(behave: Behaviour) -> AsyncIterator[int]:
    tasks: set[asyncio.Task[None] | None] = set()

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        tasks.add(asyncio.current_task())
        with suppress(ConnectionError, asyncio.CancelledError):
            await behave(reader, writer)
        writer.close()

    async with await asyncio.start_server(answer, "127.0.0.1", 0) as server:
        yield server.sockets[0].getsockname()[1]
        for task in filter(None, tasks):
            task.cancel()


async def _resolve(_host: str, _port: int) -> list[str]:
    return ["127.0.0.1"]


async def _connect(port: int, scheme: str = "ldaps", seconds: float = HANGS) -> str:
    allowed = frozenset({("directory.example", port)})
    connections = LdapConnections(_resolve, allowed, "")
    server = read_server(f"{scheme}://directory.example:{port}", allowed)
    with pytest.raises(ServiceError) as refused:
        async with connections.connect(server, "", seconds) as connection:
            await connection.bind(b"cn=x", "y")
    return refused.value.id


async def _silent(_reader: asyncio.StreamReader, _writer: asyncio.StreamWriter) -> None:
    await asyncio.Event().wait()


async def _dripping(_reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    for octet in chain(b"\x30\x84\x00\x00\x10\x00", repeat(0)):
        writer.write(bytes((octet,)))
        await writer.drain()
        await asyncio.sleep(0.005)  # allow fixed-wait: this server is slow


both_schemes = pytest.mark.parametrize("scheme", ["ldap", "ldaps"])
silent_or_dripping = pytest.mark.parametrize("behave", [_silent, _dripping])


@both_schemes
@silent_or_dripping
async def test_silent_server_times_out(scheme: str, behave: Behaviour) -> None:
    """A caller waits until its deadline, which single bytes do not extend (RX-08)."""
    async with _server(behave) as port, asyncio.timeout(HANGS):
        assert await _connect(port, scheme, 0.05) == "USER-961"


@both_schemes
@silent_or_dripping
async def test_silent_server_blocks_only_its_caller(scheme: str, behave: Behaviour) -> None:
    """All other work continues while one caller waits for a server (RX-08)."""
    async with _server(behave) as port:
        waiting = asyncio.create_task(_connect(port, scheme, HANGS))
        for _ in range(100):
            await asyncio.sleep(0)
        assert not waiting.done()
        waiting.cancel()
        await asyncio.gather(waiting, return_exceptions=True)


@pytest.mark.parametrize(("result", "error"), [(2, "USER-381"), (51, "USER-961"), (52, "USER-961")])
async def test_server_without_tls_gets_no_password(result: int, error: str) -> None:
    """If StartTLS fails, only that request was sent; after busy and unavailable the next server is asked, but not after
    protocolError.
    """
    got = bytearray()

    async def refuse(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        got.extend(await reader.read(1_000))
        writer.write(bytes.fromhex(f"300c02010178070a01{result:02x}04000400"))
        got.extend(await reader.read())

    async with _server(refuse) as port:
        assert await _connect(port, "ldap") == error

    assert bytes(got) == bytes.fromhex("301d02010177188016") + b"1.3.6.1.4.1.1466.20037"


async def test_data_before_tls_is_refused() -> None:
    """A bind response after that of StartTLS, sent without TLS, makes the handshake fail (injection)."""

    async def inject(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read(1_000)
        writer.write(START_TLS_DONE + bytes.fromhex("300c02010261070a010004000400"))
        await _silent(reader, writer)

    async with _server(inject) as port:
        assert await _connect(port, "ldap") == "USER-961"


@pytest.mark.parametrize(
    ("sent", "error_id"),
    [
        (b"HTTP/1.1 400 Bad Request\r\n\r\n", "USER-962"),
        (b"\x30\x80\x00\x00", "USER-962"),
        (b"\x30\x84\x7f\xff\xff\xff", "USER-770"),
        (b"\x30\x05\x02\x01\x07\x78\x00", "USER-962"),
    ],
)
async def test_invalid_ldap_is_refused(sent: bytes, error_id: str) -> None:
    """Another protocol, an indefinite length, two gigabytes, and the response to another request are refused."""

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read(1_000)
        writer.write(sent)
        await _silent(reader, writer)

    async with _server(answer) as port:
        assert await _connect(port, "ldap") == error_id


@pytest.mark.parametrize("address", ["127.0.0.1", "10.1.2.3", "169.254.169.254", "::1", "fd00::1", "::ffff:127.0.0.1"])
async def test_name_with_a_private_address_is_refused(address: str) -> None:
    """Every address of a name is checked before the connection (IP-03)."""

    async def resolve(_host: str, _port: int) -> list[str]:
        return ["8.8.8.8", address]

    connections = LdapConnections(resolve, frozenset(), "")
    with pytest.raises(ServiceError) as refused:
        async with connections.connect(read_server("ldaps://directory.example", frozenset()), "", 30):
            pass

    assert (refused.value.id, refused.value.private["cause"]) == ("USER-961", "AddressNotAllowed")


@pytest.mark.parametrize(
    "octets", [b"\x02", b"\x02\x05\x00", b"\x1f\x01\x00", b"\x04\x85\x01\x01\x01\x01\x01", b"\x04\x80"]
)
def test_malformed_elements_are_refused(octets: bytes) -> None:
    """Elements that are truncated, too long, with a multi-octet tag, or of indefinite length are refused (RFC
    4511 §5.1).
    """
    with pytest.raises(MalformedElement):
        decode(octets)


@pytest.mark.parametrize("length", [0, 1, 127, 128, 255, 256, 65_536])
def test_lengths_in_short_and_long_form(length: int) -> None:
    (element,) = decode(encode(0x04, bytes(length)))

    assert element == (0x04, bytes(length))


@pytest.mark.parametrize(
    "content", [b"", b"\x02\x01\x01", b"\x04\x01\x61\x30\x00", b"\x02\x09" + bytes(9) + b"\x61\x00"]
)
def test_malformed_messages_are_refused(content: bytes) -> None:
    """Messages without an operation, or with an invalid id, are refused."""
    with pytest.raises(MalformedElement):
        read_message(content)


@pytest.mark.parametrize("content", [b"", b"\x04\x00", b"\x04\x00\x04\x00", b"\x04\x00\x30\x02\x30\x00"])
def test_malformed_entries_are_refused(content: bytes) -> None:
    """Entries without attributes, or with an invalid one, are refused."""
    with pytest.raises(MalformedElement):
        read_entry(content)


async def test_large_message_is_not_read() -> None:
    """A message over 256 KiB is refused by its length, before its content is read."""
    head = b"\x30\x84" + (262_145).to_bytes(4, "big")
    read = bytearray(head)

    async def octets(count: int) -> bytes:
        found = bytes(read[:count])
        del read[:count]
        return found

    with pytest.raises(MalformedElement):
        await receive(octets, 1)


_CONTROL = b"1.3.6.1.4.1.42.2.27.8.5.1"
_ACTIVE_DIRECTORY = "80090308: LdapErr: DSID-0C090449, comment: AcceptSecurityContext error, data {}, v4563\0"


def _bound(result: int, text: str = "", value: bytes | None = None, control: bytes = _CONTROL) -> Response:
    done = encode(0x61, encode_integer(result, 0x0A), encode(0x04), encode(0x04, text.encode()))
    said = () if value is None else (encode(0x04, value),)
    return read_message(encode_integer(1) + done + encode(0xA0, encode(0x30, encode(0x04, control), *said)))


@pytest.mark.parametrize(
    ("bound", "expected"),
    [
        pytest.param(_bound(0, value=b"\x30\x03\x81\x01\x02"), True, id="reset"),
        pytest.param(_bound(49, value=b"\x30\x03\x81\x01\x00"), True, id="expired"),
        pytest.param(_bound(49, value=b"\x30\x03\x81\x01\x01"), False, id="locked"),
        pytest.param(_bound(0, value=b"\x30\x05\xa0\x03\x80\x01\x00"), False, id="expires soon"),
        pytest.param(_bound(0, value=b"\x30\x00"), False, id="nothing"),
        pytest.param(_bound(0), False, id="no value"),
        pytest.param(_bound(49, value=b"\x30\x03\x81\x01\x00", control=b"1.2.3"), False, id="another control"),
        pytest.param(_bound(53, value=b"\x30\x03\x81\x01\x02"), False, id="another result"),
        *(pytest.param(_bound(49, _ACTIVE_DIRECTORY.format(data)), True, id=data) for data in ("532", "773")),
        *(pytest.param(_bound(49, _ACTIVE_DIRECTORY.format(data)), False, id=data) for data in ("52e", "775", "5320")),
    ],
)
def test_bind_response_that_requires_a_new_password(bound: Response, *, expected: bool) -> None:
    """Only where the directory has verified the password: a locked entry is like a wrong one (LG-01)."""
    assert bound.wants_new_password is expected


@pytest.mark.parametrize("value", [b"\x81\x01", b"\x30\x02\x81\x00"])
def test_malformed_password_state_is_refused(value: bytes | None) -> None:
    with pytest.raises(MalformedElement):
        _ = _bound(0, value=value).wants_new_password


_VALUES = encode(0x31, encode(0x04, b"v") * 1_001)
_ATTRIBUTE = encode(0x30, encode(0x04, b"mail"), _VALUES)


@pytest.mark.parametrize(
    ("read", "content"),
    [
        (read_message, encode_integer(1) + b"\x05\x00" * 120_000),
        (lambda content: Response(1, 0x61, content).result, b"\x05\x00" * 120_000),
        (read_entry, b"\x04\x00" * 120_000),
        (read_entry, encode(0x04) + encode(0x30, b"\x05\x00" * 120_000)),
        (read_entry, encode(0x04) + encode(0x30, encode(0x30, b"\x05\x00" * 120_000))),
        (
            read_entry,
            encode(0x04) + encode(0x30, encode(0x30, encode(0x04, b"mail"), encode(0x31, b"\x04\x00" * 120_000))),
        ),
        (read_entry, encode(0x04) + encode(0x30, _ATTRIBUTE * 2)),
    ],
    ids=["message", "result", "entry", "attributes", "parts of one", "values of one", "values of several"],
)
def test_elements_are_counted_before_parsing(read: Callable[[bytes], object], content: bytes) -> None:
    """The number of elements is limited: 520,000 empty ones took 0.8 s, which blocked everyone else (RX-08)."""
    with pytest.raises(MalformedElement, match="too many elements"):
        read(content)


def test_entry_with_many_values_is_read() -> None:
    """A thousand values of one attribute are accepted."""
    entry = read_entry(encode(0x04, b"cn=x") + encode(0x30, _ATTRIBUTE))

    assert entry.attributes["mail"] == (b"v",) * 1_001


def _with_groups(count: int, times: int = 1) -> bytes:
    values = encode(0x31, encode(0x04, b"v") * count)
    return encode(0x04, b"cn=x") + encode(0x30, encode(0x30, encode(0x04, b"memberOf"), values) * times)


def test_attribute_with_the_groups_may_have_more_values() -> None:
    assert len(read_entry(_with_groups(5_000), "memberof").attributes["memberof"]) == 5_000


@pytest.mark.parametrize(
    ("content", "groups"),
    [(_with_groups(5_001), "memberof"), (_with_groups(2_501, 2), "memberof"), (_with_groups(2_001), "")],
)
def test_values_of_groups_are_counted_before_parsing(content: bytes, groups: str) -> None:
    """The values of an attribute that is listed twice are added up (RX-08)."""
    with pytest.raises(TooLarge):
        read_entry(content, groups)


def _part(names: str, count: int, *, first: int = 0) -> Entry:
    values = encode(0x31, encode(0x04, b"cn=staff,dc=acme") * count)
    part = encode(0x30, encode(0x04, f"memberOf;range={names}".encode()), values)
    empty = encode(0x30, encode(0x04, b"memberOf"), encode(0x31))
    return read_entry(encode(0x04, b"cn=x") + encode(0x30, part, empty), "memberof", first)


@pytest.mark.parametrize(
    ("names", "first", "more_from"), [("0-1499", 0, 1_500), ("1500-2999", 1_500, 3_000), ("3000-*", 3_000, 0)]
)
def test_part_of_the_groups_is_not_taken_for_all(names: str, first: int, more_from: int) -> None:
    """Active Directory sends 1500 values and names the rest; memberships would end that the directory has."""
    entry = _part(names, 1_500, first=first)

    assert entry.more_from == more_from
    assert {name: len(values) for name, values in entry.attributes.items()} == {"memberof": 1_500}


@pytest.mark.parametrize("names", ["0-2", "1-2", "0-", "1-*", "x", "0-1-2"])
def test_part_other_than_its_name_is_refused(names: str) -> None:
    with pytest.raises(MalformedElement):
        _part(names, 2)


def test_empty_part_is_refused() -> None:
    """Requests for the rest would never end."""
    with pytest.raises(MalformedElement):
        _part("0--1", 0)


def test_parts_of_other_attributes_are_ignored() -> None:
    attribute = encode(0x30, encode(0x04, b"memberOf;range=0-0"), encode(0x31, encode(0x04, b"v")))

    assert "memberof" not in read_entry(encode(0x04, b"cn=x") + encode(0x30, attribute)).attributes


@pytest.mark.parametrize(("dn", "password"), [(b"", "x"), (b"cn=x", "")])
def test_bind_requires_name_and_password(dn: bytes, password: str) -> None:
    """An anonymous bind succeeds without proving anything (RFC 4513 §5.1)."""
    with pytest.raises(ValueError, match="proves nothing"):
        bind_request(dn, password)


def test_integers_are_signed() -> None:
    """128 takes two octets: one alone would be negative."""
    assert encode_integer(128) == b"\x02\x02\x00\x80"
