"""The number of processes per service: ``2`` for all of them, or ``token=2 users=3``."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from portico_contracts.catalogue import SERVICES

MOST: Final = 9
"""Maximum processes per service on one machine."""

_SEPARATORS: Final = re.compile(r"[\s,]+")


class ReplicasRefused(ValueError):
    pass


@dataclass(frozen=True, slots=True)
class Replicas:
    everywhere: int = 1
    by_service: Mapping[str, int] = field(default_factory=dict)

    def of(self, service: str) -> int:
        return self.by_service.get(service, self.everywhere)

    @classmethod
    def read(cls, text: str) -> Replicas:
        """Parses a number for all, or pairs of a service and a number (1 to 9), separated by spaces or commas."""
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
