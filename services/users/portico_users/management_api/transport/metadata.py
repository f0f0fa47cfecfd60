from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final

from portico_oauth import dpop
from portico_web.languages import Language, pick_language, read_accept_language

ORG_HEADERS: Final = frozenset({"x-service-orgid", "x-zitadel-orgid"})
"""Select another organization than the caller's own; both names are equivalent."""

IF_MATCH: Final = "if-match"
PROOF: Final = dpop.HEADER.decode()


@dataclass(frozen=True, slots=True)
class Metadata:
    """The relevant request headers; ``if_match`` has all If-Match headers (RFC 9110 §13.1.1).

    `proofs` are the headers DPoP, which are for `method` and `path` (RFC 9449).
    """

    authorization: tuple[str, ...] = field(default=(), repr=False)
    org_ids: tuple[str, ...] = ()
    if_match: tuple[str, ...] = ()
    language: Language = field(default_factory=lambda: pick_language(()))
    proofs: tuple[str, ...] = field(default=(), repr=False)
    method: str = "POST"
    path: str = ""


def read_metadata(headers: Iterable[tuple[str, str]], path: str, method: str = "POST") -> Metadata:
    authorization: list[str] = []
    org_ids: list[str] = []
    languages: list[str] = []
    if_match: list[str] = []
    proofs: list[str] = []
    for name, value in headers:
        if name == "authorization":
            authorization.append(value)
        elif name in ORG_HEADERS and value:
            org_ids.append(value)
        elif name == IF_MATCH:
            if_match.append(value)
        elif name == PROOF:
            proofs.append(value)
        elif name == "accept-language":
            languages.append(value)
    language = pick_language(read_accept_language(",".join(languages)))
    return Metadata(
        tuple(authorization), tuple(dict.fromkeys(org_ids)), tuple(if_match), language, tuple(proofs), method, path
    )
