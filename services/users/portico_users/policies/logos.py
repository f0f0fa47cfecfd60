"""Re-encodes uploaded images pixel by pixel, so that nothing else in a file (text, another format) is served."""

from __future__ import annotations

import asyncio
import hashlib
import io
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple

from portico_oauth.errors import ErrorCode, Kind
from portico_runtime.mongo.client import Database, Session, guarded
from pymongo import ASCENDING, IndexModel

from portico_users.storage.entry import Attachment, Work
from portico_users.storage.schema import Indexes

if TYPE_CHECKING:
    from PIL.Image import Image

MAX_SIDE: Final = 1_024
"""In pixels; checked before decoding, so that no image takes more than 4 MiB of memory."""

MAX_STORED: Final = 256 * 1024
"""In bytes, after re-encoding."""

MAX_SECONDS: Final = 5.0
AT_ONCE: Final = 2
"""Images decoded concurrently; others wait."""

INVALID_IMAGE = ErrorCode(
    "USER-903",
    Kind.INVALID_REQUEST,
    "Unsupported image.",
    "Use a PNG or WebP image that is not animated, at most 1024 by 1024 pixels.",
)
TOO_SLOW = ErrorCode("USER-905", Kind.UNAVAILABLE, "Images cannot be processed at the moment.", "Try again later.")


_IN_EMAILS: Final = (1_120, 88)
"""Largest width and height of a logo in an email, twice what is shown: each email contains it."""

_SMALL: Final = 32 * 1024
"""Bytes of a PNG image that emails contain as it is: one that was uploaded before this release."""


class LogoImage(NamedTuple):
    """`in_emails` is a small PNG image; empty for one that was uploaded before this release."""

    content: bytes
    kind: str
    in_emails: bytes = b""


class LogoImages:
    def __init__(self) -> None:
        self._turns = asyncio.Semaphore(AT_ONCE)

    async def renew(self, content: bytes) -> LogoImage:
        """Re-encodes a still PNG or WebP image in the same format."""
        try:
            # The timeout includes the wait for a slot; a slow thread ends by itself, because the number of pixels is
            # limited.
            async with asyncio.timeout(MAX_SECONDS), self._turns:
                renewed = await asyncio.to_thread(_renew, content)
        except TimeoutError as error:
            raise TOO_SLOW.error(retry_after=1, size=len(content)) from error
        if renewed is None or len(renewed.content) > MAX_STORED:
            raise INVALID_IMAGE.error(size=len(content))
        return renewed


def _renew(content: bytes) -> LogoImage | None:
    """Returns None if it is not an image. Only the two named decoders are ever tried."""
    # The library takes megabytes, and most replicas never decode an image.
    from PIL import Image, PngImagePlugin  # noqa: PLC0415 - see above

    PngImagePlugin.MAX_TEXT_CHUNK = PngImagePlugin.MAX_TEXT_MEMORY = 64 * 1024
    try:
        with Image.open(io.BytesIO(content), formats=("PNG", "WEBP")) as image:
            if max(image.size) > MAX_SIDE or getattr(image, "is_animated", False):
                return None
            kind = str(image.format).lower()
            image.load()
            # Copy to a new image: the decoded one still has metadata.
            renewed = Image.new("RGBA", image.size)
            renewed.paste(image.convert("RGBA"))
        small = renewed.copy()
        small.thumbnail(_IN_EMAILS)
        return LogoImage(_written(renewed, kind), kind, _saved(small, "png", lossless=True))
    except Exception:
        return None


def _written(image: Image, kind: str) -> bytes:
    """Encodes losslessly; as high-quality lossy WebP if that is too large."""
    written = _saved(image, kind, lossless=True)
    return written if kind == "png" or len(written) <= MAX_STORED else _saved(image, kind, lossless=False)


def _saved(image: Image, kind: str, *, lossless: bool) -> bytes:
    file = io.BytesIO()
    if kind == "png":
        image.save(file, "PNG", optimize=True)
    else:
        image.save(file, "WEBP", lossless=lossless, quality=90)
    return file.getvalue()


LOGOS: Final = "logos"
LOGO_INDEXES: Final[Indexes] = {LOGOS: (IndexModel([("name", ASCENDING)]),)}
_NAME_LENGTH: Final = 40


def name_of(image: LogoImage) -> str:
    """Returns half of the image's SHA-256 and its type, so that the content of a name never changes."""
    return f"{hashlib.sha256(image.content).hexdigest()[:32]}.{image.kind}"


def attachment_of(holder_id: str, theme: str, image: LogoImage) -> Attachment:
    """Stores or replaces a logo in the transaction that sets its name."""
    values = {"name": name_of(image), "kind": image.kind, "content": image.content, "inEmails": image.in_emails}
    return Attachment(LOGOS, _id_of(holder_id, theme), values)


@dataclass(frozen=True, slots=True)
class MongoLogos:
    database: Database

    async def find(self, name: str) -> LogoImage | None:
        if len(name) > _NAME_LENGTH:
            return None
        async with guarded():
            row = await self.database[LOGOS].find_one({"name": name})
        return LogoImage(bytes(row["content"]), row["kind"], bytes(row.get("inEmails", b""))) if row else None

    async def find_for_emails(self, address: str) -> bytes:
        """Returns the PNG image of a served address; empty if there is none of a size for emails."""
        image = await self.find(address.rpartition("/")[2]) if address else None
        if image is None:
            return b""
        return image.in_emails or (image.content if image.kind == "png" and len(image.content) <= _SMALL else b"")

    def deletion(self, holder_id: str, theme: str) -> Work:
        async def delete(session: Session) -> None:
            await self.database[LOGOS].delete_one({"_id": _id_of(holder_id, theme)}, session=session)

        return delete


def _id_of(holder_id: str, theme: str) -> str:
    return f"{theme}/{holder_id}"
