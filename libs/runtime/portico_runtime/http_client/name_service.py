from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    import dns.asyncresolver
    import dns.exception

SECONDS: Final = 5.0
"""Total timeout of a query."""

MAX_TEXTS: Final = 100


class NameService:
    def __init__(self, *, servers: tuple[str, ...] = (), port: int = 53) -> None:
        self._servers = servers
        self._port = port

    async def find_texts(self, name: str) -> list[str]:
        """Returns the TXT records of a name, joined; empty when there are none or no server responds."""
        import dns.exception  # noqa: PLC0415 - loaded with the first question: it takes 2 MiB, and few ask any

        try:
            answer = await self._resolver().resolve(name, "TXT", lifetime=SECONDS)
        except (dns.exception.DNSException, OSError, UnicodeError):
            return []
        records = list(answer)[:MAX_TEXTS]
        return [b"".join(record.strings).decode("utf-8", "replace") for record in records]

    def _resolver(self) -> dns.asyncresolver.Resolver:
        import dns.asyncresolver  # noqa: PLC0415 - see `find_texts`

        if not self._servers:
            return dns.asyncresolver.Resolver()
        resolver = dns.asyncresolver.Resolver(configure=False)
        resolver.nameservers, resolver.port = list(self._servers), self._port
        return resolver
