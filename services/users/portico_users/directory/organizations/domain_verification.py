"""Looks at a domain for what proves whose it is: a file over https, or a record of the name service."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Protocol

from portico_oauth.errors import ErrorCode, Kind
from portico_runtime.addresses import OutboundError
from portico_runtime.outbound import OutboundResponse

from portico_users.directory.organizations.domains import NOT_GENERATED, Domain, Proof

NOT_SHOWN = ErrorCode(
    "USER-723",
    Kind.FAILED_PRECONDITION,
    "The domain could not be verified.",
    "Check that the file or DNS record contains exactly what was generated, and try again later.",
)

_OK: Final = 200


class Fetch(Protocol):
    """The one way out; see `portico_runtime.outbound`."""

    async def get(self, url: str) -> OutboundResponse:
        """Fetches a document.

        Raises:
            OutboundError: when the request is not allowed, or not answered.
        """
        ...


class FindTexts(Protocol):
    """The name service."""

    async def find_texts(self, name: str) -> list[str]:
        """The TXT records of a name; none when there are none, or the name service does not answer."""
        ...


@dataclass(frozen=True, slots=True)
class DomainVerification:
    """Proves domains."""

    fetch: Fetch
    names: FindTexts

    async def require(self, domain: Domain) -> None:
        """Returns when what was generated is shown at the domain.

        Raises:
            ServiceError: USER-721 when nothing was generated, USER-723 when it is not shown.
        """
        if domain.proof is None or not domain.challenge:
            raise NOT_GENERATED.error()
        place = place_of(domain)
        shown = await (self._page(place) if domain.proof is Proof.HTTP else self.names.find_texts(place))
        if domain.challenge not in shown:
            raise NOT_SHOWN.error(domain=domain.name)

    async def _page(self, url: str) -> list[str]:
        try:
            answer = await self.fetch.get(url)
        except OutboundError:
            return []
        return [answer.body.decode("ascii", "replace").strip()] if answer.status == _OK else []


def place_of(domain: Domain) -> str:
    """Where what was generated is looked for."""
    if domain.proof is Proof.DNS:
        return f"_portico-challenge.{domain.name}"
    return f"https://{domain.name}/.well-known/portico-challenge/{domain.challenge}.txt"
