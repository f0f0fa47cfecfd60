"""How many processes each service has: ``2`` for all of them, or ``token=2 users=3``."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from portico_contracts.catalogue import SERVICES

MOST: Final = 9
"""Processes of one service: more than that belongs on more than one machine."""

_SEPARATORS: Final = re.compile(r"[\s,]+")


class ReplicasRefused(ValueError):
    """A text that names no number of processes; the message is a sentence for the operator."""


@dataclass(frozen=True, slots=True)
class Replicas:
    """The number of processes.

    Args:
        everywhere: of every service that is not named.
        by_service: of those that are.
    """

    everywhere: int = 1
    by_service: Mapping[str, int] = field(default_factory=dict)

    def of(self, service: str) -> int:
        """The processes of a service."""
        return self.by_service.get(service, self.everywhere)

    @classmethod
    def read(cls, text: str) -> Replicas:
        """Reads a number for all, or pairs of a service and a number, with spaces or commas between them.

        Raises:
            ReplicasRefused: for an unknown service, one named twice, and a number that is not 1 to 9.
        """
        words = _SEPARATORS.split(text.strip())
        if len(words) == 1 and "=" not in words[0]:
            return cls(_number(words[0]))
        by_service: dict[str, int] = {}
        for word in words:
            service, _, number = word.partition("=")
            if service not in SERVICES:
                raise ReplicasRefused(
                    f"{service!r} is not a service. Use {SERVICES[0]}=2, for example; services are {', '.join(SERVICES)}."
                )
            if service in by_service:
                raise ReplicasRefused(f"{service} is listed twice.")
            by_service[service] = _number(number)
        return cls(by_service=by_service)


def _number(text: str) -> int:
    if not (text.isascii() and text.isdigit() and 1 <= int(text[:3]) <= MOST):
        raise ReplicasRefused(f"{text!r} is not a number from 1 to {MOST}.")
    return int(text)
