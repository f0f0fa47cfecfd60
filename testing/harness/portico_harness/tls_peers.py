"""Four servers with the same four kinds of certificates, which every TLS client of ours distinguishes."""

from __future__ import annotations

import queue
import socket
import ssl
import threading
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final, NamedTuple

import anyio.to_thread

from portico_harness.certificates import Files, write_certificate

HOST: Final = "localhost"

NO_KEY_IDENTIFIERS: Final = "an authority without key identifiers"
AS_RFC_5280: Final = "an authority as RFC 5280 wants it"
EXPIRED: Final = "an expired certificate"
ANOTHER_NAME: Final = "a certificate of another name"

ACCEPTED_WHEN_GIVEN: Final = {NO_KEY_IDENTIFIERS: True, AS_RFC_5280: True, EXPIRED: False, ANOTHER_NAME: False}
"""Where an administrator gave the authority."""

ACCEPTED_OF_SYSTEM: Final = {NO_KEY_IDENTIFIERS: False, AS_RFC_5280: True, EXPIRED: False, ANOTHER_NAME: False}

_SECONDS: Final = 20.0


class Peer(NamedTuple):
    """A server at `HOST`, and the file of its authority."""

    port: int
    authority: Path


Connect = Callable[[Peer], Awaitable[object]]


async def accepted_by(folder: Path, connect: Connect, *, greeting: bytes = b"") -> dict[str, bool]:
    """Returns for each kind of certificate whether the client ended the handshake.

    Args:
        connect: connects to a server, which closes the connection after the handshake; what it raises is ignored.
        greeting: what the server sends in clear text before TLS.
    """
    made = {
        NO_KEY_IDENTIFIERS: write_certificate(_new(folder / "1"), HOST, key_identifiers=False),
        AS_RFC_5280: write_certificate(_new(folder / "2"), HOST),
        EXPIRED: write_certificate(_new(folder / "3"), HOST, days=-1),
        ANOTHER_NAME: write_certificate(_new(folder / "4"), "elsewhere.example"),
    }
    return {kind: await _is_accepted(files, connect, greeting) for kind, files in made.items()}


async def _is_accepted(files: Files, connect: Connect, greeting: bytes) -> bool:
    with _listening(files, greeting) as (port, handshakes):
        with suppress(Exception):
            await connect(Peer(port, files.authority))
        return await anyio.to_thread.run_sync(lambda: handshakes.get(timeout=_SECONDS))


@contextmanager
def _listening(files: Files, greeting: bytes) -> Iterator[tuple[int, queue.Queue[bool]]]:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(files.certificate, files.key)
    handshakes: queue.Queue[bool] = queue.Queue()

    def serve() -> None:
        with suppress(OSError):  # when the listener is closed
            while True:
                plain, _ = listener.accept()
                with suppress(OSError), plain:
                    plain.settimeout(_SECONDS)
                    plain.sendall(greeting)
                    handshakes.put(_is_ended(context, plain))

    with socket.create_server(("127.0.0.1", 0)) as listener:
        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        yield listener.getsockname()[1], handshakes
        listener.shutdown(socket.SHUT_RDWR)
    thread.join(_SECONDS)


def _is_ended(context: ssl.SSLContext, plain: socket.socket) -> bool:
    try:
        context.wrap_socket(plain, server_side=True).close()
    except OSError:
        return False
    return True


def _new(folder: Path) -> Path:
    folder.mkdir()
    return folder
