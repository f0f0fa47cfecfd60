from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

import structlog
from portico_contracts.users import PublicKey
from portico_oauth.jose import VerificationKey

log = structlog.get_logger("portico.token")

MAX_PARSED: Final = 10_000


class ParsedKeys:
    """Caches parsed keys by all their members, so that a changed key is another entry."""

    def __init__(self) -> None:
        self._parsed: dict[tuple[str, ...], VerificationKey] = {}

    def find(self, registered: Iterable[PublicKey], header: Mapping[str, object], now: float) -> VerificationKey | None:
        """Returns the unexpired key with the header's `kid`; its algorithm is the registered one (JW-02).

        Without a `kid`, an only key is used: with several, nothing in the token may choose between them.
        """
        usable = [key for key in registered if not key.expires_at or now < key.expires_at]
        if "kid" in header:
            usable = [key for key in usable if key.kid == header["kid"]]
        return self._parse(usable[0]) if len(usable) == 1 else None

    def _parse(self, key: PublicKey) -> VerificationKey | None:
        name = (key.kid, key.alg, *(text for pair in sorted(key.jwk.items()) for text in pair))
        found = self._parsed.get(name)
        if found is not None:
            return found
        try:
            parsed = VerificationKey.from_jwk({**key.jwk, "kid": key.kid, "alg": key.alg})
        except ValueError:
            log.warning("registered key cannot be used", kid=key.kid, alg=key.alg)
            return None
        if len(self._parsed) >= MAX_PARSED:
            self._parsed.clear()
        self._parsed[name] = parsed
        return parsed
