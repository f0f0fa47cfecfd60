"""JWTs that were used: one is good for one sign-in, and again only from the browser that brought it first."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final

from portico_runtime.mongo import Database, guarded
from pymongo import ASCENDING, IndexModel
from pymongo.errors import DuplicateKeyError

from portico_users.federation.refusals import USED_BEFORE
from portico_users.kernel.schema import Indexes

USED_TOKENS: Final = "usedProviderTokens"
USED_TOKEN_INDEXES: Final[Indexes] = {
    USED_TOKENS: (IndexModel([("forgetAt", ASCENDING)], expireAfterSeconds=0),),
}


@dataclass(frozen=True, slots=True)
class UsedTokens:
    """The hashes of used JWTs, in MongoDB, until the JWTs are refused for their age."""

    database: Database

    async def use(self, idp_id: str, token: str, *, user_agent: str, until: float) -> None:
        """Marks a JWT as used.

        Args:
            user_agent: the browser it came from; empty for one that is not known, which may use no JWT again.
            until: unix seconds from which the JWT is refused anyway.

        Raises:
            ServiceError: USER-970 for one that was used from elsewhere, `unavailable` when the store cannot be asked.
        """
        # Without the signature, of which ECDSA permits two for the same content.
        signed = token.rpartition(".")[0]
        id = hashlib.sha256(f"{idp_id}\n{signed}".encode()).hexdigest()
        browser = hashlib.sha256(user_agent.encode()).hexdigest() if user_agent else ""
        row = {"_id": id, "browser": browser, "forgetAt": datetime.fromtimestamp(until, UTC)}
        async with guarded():
            try:
                await self.database[USED_TOKENS].insert_one(row)
            except DuplicateKeyError:
                first = await self.database[USED_TOKENS].find_one({"_id": id}, {"browser": 1})
                if not browser or first is None or first["browser"] != browser:
                    raise USED_BEFORE.error(idp=idp_id) from None
