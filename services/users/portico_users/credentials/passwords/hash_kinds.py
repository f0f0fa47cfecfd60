"""Kinds of hashes and what they cost here: a kind is a hash with its salt and digest masked.

So a kind is compared with a password like any hash, at the same cost, and never matches: what an unknown name is compared with.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from portico_users.credentials.passwords.imported_hashes import Format, Parts, find_format

_OURS: Final = "$argon2id$"
_BCRYPT: Final = re.compile(r"\A\$2[axy]\$")

_IN_FORCE: Final = "argon2 in force"
"""What computes hashes with the parameters in force: another library than for those of others, and faster."""

_RATES: Final = {
    _IN_FORCE: 8e-7,
    "argon2": 1.1e-6,
    "bcrypt": 6e-5,
    "wordpress-bcrypt": 6e-5,
    "django-bcrypt-sha256": 6e-5,
    "scrypt": 4e-7,
    "firebase-scrypt": 4e-7,
    "pbkdf2": 3.2e-7,
    "pbkdf2-sha1": 3.2e-7,
    "pbkdf2-sha256": 3.2e-7,
    "pbkdf2-sha512": 7.5e-7,
    "sha256-crypt": 6.5e-7,
    "sha512-crypt": 1.5e-6,
    "md5-crypt": 3e-6,
    "phpass": 1e-6,
    "drupal": 1e-6,
    "salted-sha": 5e-6,
}
"""Seconds of a unit of work on a usual machine. Our own hashes show how many times slower this one is."""

_SLOWEST: Final = 10.0
"""Hashes of few kilobytes take longer per unit; they are no measure of this machine."""

_NEW: Final = 0.3
"""The weight of the newest measurement."""


def kind_of(hash: str) -> str:
    """The kind of a hash, or of a kind itself; empty for a hash that is computed nowhere here."""
    found = find_format(hash)
    if found is None or not found[0].is_affordable(found[1]):
        return ""
    format, _ = found
    match = format.form.fullmatch(hash)
    assert match is not None  # noqa: S101 - it was found by that
    text = hash
    for name, length in (("digest", 0), ("salt", format.salt)):
        if name in format.form.groupindex:
            start, end = match.span(name)
            text = text[:start] + format.filler * (length or end - start) + text[end:]
    return _BCRYPT.sub("$2b$", text)


def work_of(hash: str) -> tuple[str, float]:
    """What a hash is computed by, and how much of that; empty and 0 for one that is not computed."""
    found = find_format(hash)
    if found is None or not found[0].is_affordable(found[1]):
        return "", 0.0
    format, parts = found
    return _method(format, parts), format.work(parts)


def _method(format: Format, parts: Parts) -> str:
    return f"{format.name}-{parts['name']}" if format.name == "pbkdf2" and parts["name"] else format.name


def in_force(own: str) -> Callable[[str], bool]:
    """Whether a hash has the algorithm, the parameters and the lengths of a kind.

    Args:
        own: the kind of the hashes in force.
    """
    start, length = f"{own.rpartition('$')[0].rpartition('$')[0]}$", len(own)
    return lambda text: text.startswith(start) and len(text) == length


class HashCosts:
    """What hashes take on this machine: fixed rates at first, then those that were seen."""

    def __init__(self, own: str) -> None:
        """Knows nothing yet.

        Args:
            own: the kind of hashes in force.
        """
        self._is_in_force = in_force(own)
        self._own = work_of(own)[1]
        self._rates: dict[str, float] = {}

    def seconds(self, hash: str) -> float:
        """Estimated seconds of a comparison."""
        method, work = self._work_of(hash)
        return work * self._rate(method) if method else 0.0

    def is_ours(self, hash: str) -> bool:
        """One of the hashes made here, also with parameters of before; an imported one may cost more."""
        return not hash or (hash.startswith(_OURS) and work_of(hash)[1] <= 2 * self._own)

    def was_seen(self, hash: str) -> bool:
        """Some hash of the method has been computed since the start."""
        return self._work_of(hash)[0] in self._rates

    def learner(self, hash: str) -> Callable[[float], None]:
        """Learns from the seconds that a comparison took."""
        method, work = self._work_of(hash)

        def learn(seconds: float) -> None:
            if not method:
                return
            rate, known = seconds / work, self._rates.get(method)
            self._rates[method] = rate if known is None else (1 - _NEW) * known + _NEW * rate

        return learn

    def _work_of(self, hash: str) -> tuple[str, float]:
        method, work = work_of(hash)
        return (_IN_FORCE if self._is_in_force(hash) else method), work

    def _rate(self, method: str) -> float:
        if method in self._rates:
            return self._rates[method]
        ours = self._rates.get(_IN_FORCE)
        slower = ours / _RATES[_IN_FORCE] if ours else 1.0
        return _RATES[method] * min(max(slower, 1.0), _SLOWEST)
