"""The registered key an assertion names, parsed once."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import structlog
from portico_contracts.users import PublicKey
from portico_oauth.jose import VerificationKey

log = structlog.get_logger("portico.token")

MAX_PARSED: Final = 10_000


class ParsedKeys:
    """Remembers parsed keys by what they are made of, so that a changed one is another."""

    def __init__(self) -> None:
        self._parsed: dict[tuple[str, ...], VerificationKey] = {}

    def find(self, registered: Iterable[PublicKey], kid: object, now: float) -> VerificationKey | None:
        """The key with this id, unless it has expired; its algorithm is the registered one (JW-02)."""
        for key in registered:
            if key.kid == kid and (not key.expires_at or now < key.expires_at):
                return self._parse(key)
        return None

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
