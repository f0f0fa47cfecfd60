"""The domains of an organization: one is primary, further ones are theirs once they are verified."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final, Protocol

import msgspec
from portico_oauth.errors import ErrorCode, Kind
from portico_runtime.http_client.addresses import OutboundError
from portico_runtime.http_client.outbound import OutboundResponse

from portico_users.values.names import INVALID_DOMAIN, is_domain
from portico_users.values.problems import at

MAX_DOMAINS: Final = 100
"""Limited, because domains are read with the organization."""

DOMAIN_EXISTS = ErrorCode(
    "USER-715", Kind.ALREADY_EXISTS, "The organization already has this domain.", "No action needed."
)
DOMAIN_TAKEN = ErrorCode(
    "USER-716", Kind.ALREADY_EXISTS, "This domain belongs to another organization.", "Use a domain you own."
)
DOMAIN_NOT_FOUND = ErrorCode(
    "USER-717", Kind.NOT_FOUND, "The organization has no such domain.", "Check the name of the domain."
)
PRIMARY_STAYS = ErrorCode(
    "USER-718", Kind.FAILED_PRECONDITION, "This is the primary domain.", "Make another domain the primary one first."
)
NOT_VERIFIED = ErrorCode("USER-719", Kind.FAILED_PRECONDITION, "This domain is not verified.", "Verify it first.")
IS_VERIFIED = ErrorCode("USER-720", Kind.FAILED_PRECONDITION, "This domain is already verified.", "No action needed.")
NOT_GENERATED = ErrorCode(
    "USER-721",
    Kind.FAILED_PRECONDITION,
    "No domain verification was started.",
    "Generate the verification file or DNS record first.",
)
TOO_MANY_DOMAINS = ErrorCode(
    "USER-722", Kind.INVALID_REQUEST, "Too many domains.", "Keep at most 100 domains per organization."
)


class Proof(StrEnum):
    HTTP = "http"
    DNS = "dns"


class Domain(msgspec.Struct, frozen=True, kw_only=True, rename="camel", omit_defaults=True):
    """A further domain; until ``verified`` other organizations may list it. Its challenge is published there."""

    name: str
    verified: bool = False
    proof: Proof | None = None
    challenge: str = ""


Domains = tuple[Domain, ...]


def with_new_domain(domains: Domains, primary: str, name: str) -> Domains:
    if not is_domain(name):
        raise at("domain", INVALID_DOMAIN.error())
    if name == primary or any(domain.name == name for domain in domains):
        raise DOMAIN_EXISTS.error()
    if len(domains) >= MAX_DOMAINS:
        raise TOO_MANY_DOMAINS.error()
    return (*domains, Domain(name=name))


def without_domain(domains: Domains, primary: str, name: str) -> Domains:
    if name == primary:
        raise PRIMARY_STAYS.error()
    load_domain(domains, name)
    return tuple(domain for domain in domains if domain.name != name)


def with_domain(domains: Domains, changed: Domain) -> Domains:
    return tuple(changed if domain.name == changed.name else domain for domain in domains)


def load_unverified(domains: Domains, primary: str, name: str) -> Domain:
    if name == primary:
        raise IS_VERIFIED.error()
    domain = load_domain(domains, name)
    if domain.verified:
        raise IS_VERIFIED.error()
    return domain


def swapped(domains: Domains, primary: str, name: str) -> Domains:
    if name == primary:
        raise PRIMARY_STAYS.error()
    if not load_domain(domains, name).verified:
        raise NOT_VERIFIED.error()
    return (*without_domain(domains, primary, name), Domain(name=primary, verified=True))


def load_domain(domains: Domains, name: str) -> Domain:
    for domain in domains:
        if domain.name == name:
            return domain
    raise DOMAIN_NOT_FOUND.error()


NOT_SHOWN = ErrorCode(
    "USER-723",
    Kind.FAILED_PRECONDITION,
    "The domain could not be verified.",
    "Check that the file or DNS record contains exactly what was generated, and try again later.",
)

_OK: Final = 200


class Fetch(Protocol):
    async def get(self, url: str) -> OutboundResponse: ...


class FindTexts(Protocol):
    async def find_texts(self, name: str) -> list[str]:
        """Returns the TXT records of a name; empty also if DNS does not respond."""
        ...


@dataclass(frozen=True, slots=True)
class DomainVerification:
    fetch: Fetch
    names: FindTexts

    async def require(self, domain: Domain) -> None:
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
    """Returns the URL or DNS name of the challenge."""
    if domain.proof is Proof.DNS:
        return f"_portico-challenge.{domain.name}"
    return f"https://{domain.name}/.well-known/portico-challenge/{domain.challenge}.txt"
