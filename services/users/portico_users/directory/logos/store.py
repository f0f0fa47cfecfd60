"""Logos in MongoDB, by the holder and the theme; found by the name that pages have them by."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import Final

from portico_runtime.mongo import Database, Session, guarded
from pymongo import ASCENDING, IndexModel

from portico_users.directory.logos.images import LogoImage
from portico_users.kernel.entry import Attachment, Work
from portico_users.kernel.schema import Indexes

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
