"""HTTP clients that offer an upgrade to HTTP/2: curl, Java's HttpClient, and recorded bytes of both."""

from __future__ import annotations

import asyncio
import base64
import re
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

JAVA_PROGRAM: Final = Path("tests-e2e") / "java_client" / "Ask.java"

_OFFERS: Final = {
    "curl": "Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQCAAAAAAIAAAAA\r\n",
    "Java": "Connection: Upgrade, HTTP2-Settings\r\n"
    "HTTP2-Settings: AAEAAEAAAAIAAAAAAAMAAAAAAAQBAAAAAAUAAEAAAAYABgAA\r\nUpgrade: h2c\r\n",
}
"""HTTP/2 upgrade requests recorded from curl 7.88 and JDK 17."""

_SECONDS: Final = 30.0
"""Seconds after which a request is considered to hang."""

_LENGTH: Final = re.compile(r"^content-length: ([0-9]+)", re.IGNORECASE | re.MULTILINE)

RECORDED: Final = tuple(_OFFERS)


@dataclass(frozen=True, slots=True)
class Asked:
    method: str
    url: str
    body: str
    headers: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Answered:
    status: int
    body: bytes


async def by_bytes(asked: Asked, recorded: str, port: int | None = None) -> Answered:
    """Sends a request in the recorded format of a client.

    Args:
        port: of another server than the one in the URL.
    """
    address = urlsplit(asked.url)
    lines = [f"{asked.method} {address.path} HTTP/1.1", f"Host: {address.netloc}"]
    lines += [f"Content-Length: {len(asked.body.encode())}"]
    lines += [f"{name}: {value}" for name, value in asked.headers.items()]
    head = "\r\n".join(lines) + "\r\n" + _OFFERS[recorded] + "\r\n"
    reader, writer = await asyncio.open_connection("127.0.0.1", port or address.port)
    try:
        writer.write(head.encode() + asked.body.encode())
        answer = (await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), _SECONDS)).decode()
        length = _LENGTH.search(answer)
        assert length, answer
        body = await asyncio.wait_for(reader.readexactly(int(length[1])), _SECONDS)
    finally:
        writer.close()
    return Answered(int(answer.split(" ")[1]), body)


async def by_curl(asked: Asked) -> Answered:
    """Sends a request with ``curl --http2``; as bytes where curl is missing."""
    if not shutil.which("curl"):
        return await by_bytes(asked, "curl")
    headers = [word for name, value in asked.headers.items() for word in ("-H", f"{name}: {value}")]
    body = ["--data-binary", asked.body] if asked.body else []
    arguments = ["-sS", "--noproxy", "*", "--http2", "-X", asked.method, *headers, *body, "-w", "\n%{http_code}"]
    said = await _said_by("curl", *arguments, asked.url)
    content, _, status = said.rpartition(b"\n")
    return Answered(int(status), content)


async def by_java(asked: Sequence[Asked]) -> list[Answered]:
    """Sends requests with Java's HttpClient; as bytes where there is no JDK."""
    if not shutil.which("javac"):
        return [await by_bytes(one, "Java") for one in asked]
    rows = [(one.method, one.url, one.body, *(part for pair in one.headers.items() for part in pair)) for one in asked]
    lines = [" ".join(base64.b64encode(word.encode()).decode() for word in row) for row in rows]
    said = await _said_by("java", str(JAVA_PROGRAM), given="\n".join([*lines, ""]).encode())
    answers = [line.split(b" ") for line in said.splitlines()]
    return [Answered(int(status), base64.b64decode(body)) for status, body in answers]


async def _said_by(*command: str, given: bytes = b"") -> bytes:
    pipe = asyncio.subprocess.PIPE
    process = await asyncio.create_subprocess_exec(*command, stdin=pipe, stdout=pipe, stderr=pipe)
    said, complained = await process.communicate(given)
    assert process.returncode == 0, complained.decode()
    return said
