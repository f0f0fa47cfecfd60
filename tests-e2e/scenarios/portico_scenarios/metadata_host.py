"""A host that serves client-ID metadata documents over TLS, which users must be allowed to call."""

from __future__ import annotations

import asyncio
import json
import socket
import ssl
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Final

from portico_harness.certificates import Files, write_certificate
from portico_stack.machine.ports import free_port

HOST: Final = "127.0.0.1"


class MetadataHost:
    """Serves JSON by path; `environment` lets users call it, and trust its certificate."""

    def __init__(self, folder: Path) -> None:
        self.files: Files = write_certificate(folder, HOST)
        self.listener = socket.create_server((HOST, free_port()))
        self.url = f"https://{HOST}:{self.listener.getsockname()[1]}"
        self.documents: dict[str, bytes] = {}

    @property
    def environment(self) -> dict[str, str]:
        return {
            "PORTICO_OUTBOUND_ALLOW": self.url.removeprefix("https://"),
            "PORTICO_OUTBOUND_CA_FILE": str(self.files.authority),
        }

    def client(self, name: str, *redirect_uris: str, **members: Any) -> str:
        """Publishes a document for a public client; returns the client id."""
        client_id = f"{self.url}/{name}.json"
        document = {"client_id": client_id, "client_name": name, "redirect_uris": redirect_uris, **members}
        self.documents[f"/{name}.json"] = json.dumps(document).encode()
        return client_id

    @asynccontextmanager
    async def serving(self) -> AsyncIterator[None]:
        trust = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        trust.load_cert_chain(self.files.certificate, self.files.key)
        server = await asyncio.start_server(self._answer, sock=self.listener, ssl=trust)
        async with server:
            yield

    async def _answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = (await reader.readuntil(b"\r\n\r\n")).decode()
        body = self.documents.get(head.split(" ")[1])
        status = "200 OK" if body else "404 Not Found"
        headers = f"Content-Type: application/json\r\nContent-Length: {len(body or b'')}\r\nConnection: close"
        writer.write(f"HTTP/1.1 {status}\r\n{headers}\r\n\r\n".encode() + (body or b""))
        await writer.drain()
        writer.close()
