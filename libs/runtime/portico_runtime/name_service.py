"""Questions to the name service (DNS) that the system's resolver functions do not ask."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    import dns.asyncresolver
    import dns.exception

SECONDS: Final = 5.0
"""A question, all in all."""

MAX_TEXTS: Final = 100


class NameService:
    """Asks the servers the machine is set to use."""

    def __init__(self, *, servers: tuple[str, ...] = (), port: int = 53) -> None:
        """Makes one.

        Args:
            servers: addresses to ask instead of the machine's.
        """
        self._servers = servers
        self._port = port

    async def find_texts(self, name: str) -> list[str]:
        """The TXT records of a name, each in one piece; none when there are none, or no server answers."""
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
