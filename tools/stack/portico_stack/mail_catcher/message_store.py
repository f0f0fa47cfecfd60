from __future__ import annotations

import base64
import itertools
import re
import threading
import time
from collections.abc import Iterator
from email import message_from_bytes, policy
from email.errors import MessageError
from email.message import EmailMessage
from email.parser import BytesHeaderParser
from pathlib import Path
from typing import Final, NamedTuple

MAX_BYTES: Final = 1024 * 1024
"""Maximum bytes of a message."""

MAX_MESSAGES: Final = 20_000
"""Older messages are deleted."""

_MAX_COMPARED: Final = 2_000
"""Messages whose recipient is compared per list."""

_EVERY: Final = 100
_NAME: Final = re.compile(r"[0-9]{8}-[0-9]{6}-[0-9]{4,10}\Z")


class MessageSummary(NamedTuple):
    id: str
    date: str
    sender: str
    to: str
    subject: str


class Message(NamedTuple):
    summary: MessageSummary
    text: str
    html: str


class MessageStore:
    def __init__(self, directory: Path, max_messages: int = MAX_MESSAGES) -> None:
        self._directory = directory
        self._max_messages = max_messages
        self._lock = threading.Lock()
        self._numbers: Iterator[int] = itertools.count(1)

    def save(self, content: bytes) -> None:
        number = next(self._numbers)
        path = self._path(f"{time.strftime('%Y%m%d-%H%M%S')}-{number:06d}")
        # A concurrent listing of the directory must not read half a message.
        new = path.with_suffix(".new")
        new.write_bytes(content)
        new.rename(path)
        if number % _EVERY == 0:
            self._delete_oldest()

    def summaries(self, *, to: str = "", limit: int = 100) -> list[MessageSummary]:
        """Returns the newest messages first; with `to` only those to matching recipients."""
        found = (self._summary(id) for id in self._ids()[:_MAX_COMPARED])
        wanted = (one for one in found if one is not None and to.lower() in one.to.lower())
        return list(itertools.islice(wanted, limit))

    def find(self, id: str) -> Message | None:
        source = self.find_source(id)
        if source is None:
            return None
        mail = message_from_bytes(source, policy=policy.default)
        assert isinstance(mail, EmailMessage)  # noqa: S101 - the policy makes no other
        return Message(_summary_of(id, mail), _part(mail, "plain"), _with_images(mail, _part(mail, "html")))

    def find_source(self, id: str) -> bytes | None:
        if not _NAME.match(id):
            return None
        try:
            return self._path(id).read_bytes()
        except FileNotFoundError:
            return None

    def remove(self, id: str) -> bool:
        if self.find_source(id) is None:
            return False
        self._path(id).unlink(missing_ok=True)
        return True

    def clear(self) -> None:
        for id in self._ids():
            self._path(id).unlink(missing_ok=True)

    def _delete_oldest(self) -> None:
        with self._lock:
            for id in self._ids()[self._max_messages :]:
                self._path(id).unlink(missing_ok=True)

    def _ids(self) -> list[str]:
        return sorted((path.stem for path in self._directory.glob("*.eml")), reverse=True)

    def _summary(self, id: str) -> MessageSummary | None:
        try:
            with self._path(id).open("rb") as file:
                return _summary_of(id, BytesHeaderParser(policy=policy.default).parse(file))
        except FileNotFoundError:  # thrown away meanwhile
            return None

    def _path(self, id: str) -> Path:
        return self._directory / f"{id}.eml"


def _summary_of(id: str, mail: EmailMessage) -> MessageSummary:
    return MessageSummary(id, *(_header(mail, name) for name in ("Date", "From", "To", "Subject")))


def _header(mail: EmailMessage, name: str) -> str:
    try:
        return " ".join(str(mail[name] or "").split())
    except (MessageError, ValueError, IndexError):  # not one of our messages; it is listed all the same
        return ""


def _with_images(mail: EmailMessage, html: str) -> str:
    """Fills in the images that the message contains (RFC 2392), as email programs show them."""
    for part in mail.walk():
        id = _header(part, "Content-ID").strip("<>") if isinstance(part, EmailMessage) else ""
        if (
            id
            and part.get_content_maintype() == "image"
            and isinstance(content := part.get_payload(decode=True), bytes)
        ):
            shown = f"data:{part.get_content_type()};base64,{base64.b64encode(content).decode()}"
            html = html.replace(f"cid:{id}", shown)
    return html


def _part(mail: EmailMessage, kind: str) -> str:
    try:
        part = mail.get_body((kind,))
        return str(part.get_content()) if part else ""
    except (LookupError, MessageError, ValueError):
        return ""
