"""Makes an uploaded image anew: what is stored is written by us, pixel by pixel, and has nothing else of the file.

So a file that is an image and something else, has text or a position in it, or attacks a decoder, reaches no browser.
"""

from __future__ import annotations

import asyncio
import hashlib
import io
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple

from portico_oauth.errors import ErrorCode, Kind
from portico_runtime.mongo import Database, Session, guarded
from pymongo import ASCENDING, IndexModel

from portico_users.kernel.entry import Attachment, Work
from portico_users.kernel.schema import Indexes

if TYPE_CHECKING:
    from PIL.Image import Image

MAX_SIDE: Final = 1_024
"""Pixels; looked at before anything is decoded, so that no file takes more than 4 MiB of memory."""

MAX_STORED: Final = 256 * 1024
"""Bytes of what is made of it."""

MAX_SECONDS: Final = 5.0
AT_ONCE: Final = 2
"""How many images are read at the same time; others wait."""

INVALID_IMAGE = ErrorCode(
    "USER-903",
    Kind.INVALID_REQUEST,
    "Unsupported image.",
    "Use a PNG or WebP image that is not animated, at most 1024 by 1024 pixels.",
)
TOO_SLOW = ErrorCode("USER-905", Kind.UNAVAILABLE, "Images cannot be processed at the moment.", "Try again later.")


class LogoImage(NamedTuple):
    """An image as it is stored.

    Attributes:
        kind: ``png`` or ``webp``.
    """

    content: bytes
    kind: str


class LogoImages:
    """Reads images in threads, few at a time."""

    def __init__(self) -> None:
        self._turns = asyncio.Semaphore(AT_ONCE)

    async def renew(self, content: bytes) -> LogoImage:
        """The image of a file, written anew in the same format.

        Raises:
            ServiceError: USER-903 for anything but a still PNG or WebP image of a fitting size, USER-905 when it takes too long.
        """
        try:
            # The turn is waited for as well; a thread that is too slow ends by itself, as the pixels are bounded.
            async with asyncio.timeout(MAX_SECONDS), self._turns:
                renewed = await asyncio.to_thread(_renew, content)
        except TimeoutError as error:
            raise TOO_SLOW.error(retry_after=1, size=len(content)) from error
        if renewed is None or len(renewed.content) > MAX_STORED:
            raise INVALID_IMAGE.error(size=len(content))
        return renewed


def _renew(content: bytes) -> LogoImage | None:
    """The image; None for what is none. Only the two decoders that are named are ever tried."""
    # The library takes megabytes, and most replicas never read an image.
    from PIL import Image, PngImagePlugin  # noqa: PLC0415 - see above

    PngImagePlugin.MAX_TEXT_CHUNK = PngImagePlugin.MAX_TEXT_MEMORY = 64 * 1024
    try:
        with Image.open(io.BytesIO(content), formats=("PNG", "WEBP")) as image:
            if max(image.size) > MAX_SIDE or getattr(image, "is_animated", False):
                return None
            kind = str(image.format).lower()
            image.load()
            # A new image: the one that was read still has its texts, colour profile and position.
            renewed = Image.new("RGBA", image.size)
            renewed.paste(image.convert("RGBA"))
    except Exception:
        return None
    return LogoImage(_written(renewed, kind), kind)


def _written(image: Image, kind: str) -> bytes:
    """The file: without loss; a WebP image that is too large so, in high quality."""
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
    """The name it is served by: half of its SHA-256 and its kind, so that what a name means never changes."""
    return f"{hashlib.sha256(image.content).hexdigest()[:32]}.{image.kind}"


def attachment_of(holder_id: str, theme: str, image: LogoImage) -> Attachment:
    """What stores a logo in the transaction that names it; it replaces the one before."""
    values = {"name": name_of(image), "kind": image.kind, "content": image.content}
    return Attachment(LOGOS, _id_of(holder_id, theme), values)


@dataclass(frozen=True, slots=True)
class MongoLogos:
    """Finds and deletes logos."""

    database: Database

    async def find(self, name: str) -> LogoImage | None:
        """The logo of a name, of any holder.

        Raises:
            ServiceError: `unavailable` when the database cannot be asked.
        """
        if len(name) > _NAME_LENGTH:
            return None
        async with guarded():
            row = await self.database[LOGOS].find_one({"name": name})
        return LogoImage(bytes(row["content"]), row["kind"]) if row else None

    def deletion(self, holder_id: str, theme: str) -> Work:
        """What deletes a logo in the transaction that takes its name away."""

        async def delete(session: Session) -> None:
            await self.database[LOGOS].delete_one({"_id": _id_of(holder_id, theme)}, session=session)

        return delete


def _id_of(holder_id: str, theme: str) -> str:
    return f"{theme}/{holder_id}"
