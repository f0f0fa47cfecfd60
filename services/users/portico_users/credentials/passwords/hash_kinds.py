"""Kinds of hashes and their cost: a kind is a hash with masked salt and digest.

Comparing a password with a kind costs as much as with a real hash and never matches; unknown login names are
compared with a kind.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final, NamedTuple

from portico_users.credentials.passwords.hash_work import Parts
from portico_users.credentials.passwords.imported_hashes import Format, find_format

_OURS: Final = "$argon2id$"
_BCRYPT: Final = re.compile(r"\A\$2[axy]\$")

_IN_FORCE: Final = "argon2 in force"
"""Native hashes with current parameters; another, faster library than for imported hashes."""

_IN_FORCE_SECONDS: Final = 8e-7
"""Per unit of work on a typical machine; measured native hashes scale this and those of the formats."""

_SLOWEST: Final = 10.0
"""Upper limit of the scale: small hashes take longer per unit and do not represent the machine."""

_NEW: Final = 0.3


def kind_of(hash: str) -> str:
    """Returns the kind of a hash (or of a kind, itself); empty for a hash that is not supported."""
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


class Work(NamedTuple):
    """Units of work of a hash, and seconds for each on a typical machine; methods are measured separately."""

    method: str
    units: float
    seconds: float


def work_of(hash: str) -> Work:
    """Without a method for a hash that is not supported."""
    found = find_format(hash)
    if found is None or not found[0].is_affordable(found[1]):
        return Work("", 0.0, 0.0)
    format, parts = found
    return Work(_method(format, parts), format.work(parts), format.seconds)


def _method(format: Format, parts: Parts) -> str:
    return f"{format.name}-{parts['name']}" if format.name == "pbkdf2" and parts["name"] else format.name


def in_force(own: str) -> Callable[[str], bool]:
    start, length = f"{own.rpartition('$')[0].rpartition('$')[0]}$", len(own)
    return lambda text: text.startswith(start) and len(text) == length


class HashCosts:
    """Estimates the cost of hashes on this machine: default rates at first, then measured ones."""

    def __init__(self, own: str) -> None:
        self._is_in_force = in_force(own)
        self._own = work_of(own).units
        self._rates: dict[str, float] = {}

    def seconds(self, hash: str) -> float:
        work = self._work_of(hash)
        return work.units * self._rate(work)

    def is_ours(self, hash: str) -> bool:
        """Reports whether a hash is native, also with former parameters; imported hashes may cost more."""
        return not hash or (hash.startswith(_OURS) and work_of(hash).units <= 2 * self._own)

    def was_seen(self, hash: str) -> bool:
        return self._work_of(hash).method in self._rates

    def learner(self, hash: str) -> Callable[[float], None]:
        work = self._work_of(hash)

        def learn(seconds: float) -> None:
            if not work.method:
                return
            rate, known = seconds / work.units, self._rates.get(work.method)
            self._rates[work.method] = rate if known is None else (1 - _NEW) * known + _NEW * rate

        return learn

    def _work_of(self, hash: str) -> Work:
        work = work_of(hash)
        return Work(_IN_FORCE, work.units, _IN_FORCE_SECONDS) if self._is_in_force(hash) else work

    def _rate(self, work: Work) -> float:
        if work.method in self._rates:
            return self._rates[work.method]
        ours = self._rates.get(_IN_FORCE)
        slower = ours / _IN_FORCE_SECONDS if ours else 1.0
        return work.seconds * min(max(slower, 1.0), _SLOWEST)
